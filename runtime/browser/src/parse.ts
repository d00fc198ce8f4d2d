// A query becomes words with their terms and weights (FORMAT.md §13.4).
import {
  Lists, askWord, blank, bytesOf, cutBytes, exactPrefix, fold, hashesOf, idfOf, indexOnly, look, pairOf, stemTerm, stemTerms,
  tokens, unscored,
} from "#core";
import type { Data } from "./data.ts";
import { english } from "./english.ts";
import type { Reading } from "./grammar.ts";
import type { LanguagesModule, LettersModule, MisspellingModule, OperatorsModule } from "./modules.ts";
import type { Marks } from "./marks.ts";
import type { Candidate, Corrections } from "./misspelling.ts";
import type { Role } from "./roles.ts";
import type { Stems } from "./stem.ts";
import type { Item } from "./syntax.ts";
import type { Token } from "./tokens.ts";
import type { Word } from "./word.ts";
import { wordLists } from "./wordlists.ts";

export type Language = string;

const maxText = 4096; // bytes of a query that are read
const maxWords = 256;
const maxVoters = 16; // words that are asked for their language
const maxTyped = 20; // words that begin as the last one does
const maxBegun = 100; // that are looked at for them

/** A query that was read. */
export interface Query {
  text: string; // what is looked for
  language: Language;
  words: Word[]; // without stop words, as far as there are others
  all: Word[];
  unsure: boolean; // it has a word that the index lacks
  notes: string[];
}

/** What reading a query needs beside the file. */
export interface Reader {
  letters: LettersModule | undefined; // undefined where the query has Latin letters only
  operators: OperatorsModule | undefined; // undefined where the query has none
  stems: ReadonlyMap<Language, Stems>; // of the languages of the file
  /** Says of a word that the index lacks that it is none the less no misspelling. */
  isWord?: ((word: string) => boolean) | undefined;
  /** The last word may be the beginning of one. */
  typing?: boolean | undefined;
}

/** Reads a query. */
export class Parse {
  readonly data: Data;
  readonly known: Language[];
  readonly reading: Reading;
  language: Language;
  readonly notes: string[] = [];
  readonly #docs = new Map<Language, number>();
  readonly reader: Reader;
  readonly #chunks: number;
  #marks: Marks | undefined;
  #corrections: Corrections | undefined;

  constructor(data: Data, raw: string, r: Reader, asked: Language[] = []) {
    [this.data, this.reader, this.#chunks] = [data, r, data.rows("CHNK")];
    for (const l of data.meta.languages) if (l.language !== "") this.#docs.set(l.language, l.documents);
    this.known = [...this.#docs.keys()].sort((a, b) => this.#docs.get(b)! - this.#docs.get(a)! || (a < b ? -1 : 1));
    const text = cutBytes(raw, maxText);
    if (text !== raw) this.note(`the query has ${bytesOf(raw)} bytes, the first ${bytesOf(text)} are read`);
    if (!english(text, this.known, wordLists)) data.now.ahead("./languages.js");
    this.#askAll(text);
    const only = asked.length === 1 ? asked[0] : "";
    this.language = this.#detect(text, only);
    const name = text.trim();
    if (bytesOf(name) <= 1024 && data.find("NAME", fold(name)) >= 0) this.reading = { text, plain: true, parts: [], notes: [] };
    else {
      const plain: Reading = { text, plain: true, parts: [], notes: [] };
      this.reading = r.operators?.read(text, this.language, wordLists) ?? plain;
      if (!this.reading.plain && this.reading.text !== text) this.language = this.#detect(this.reading.text, only);
    }
    for (const n of this.reading.notes) this.note(n);
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }
  #keys(t: Token): string[] {
    return stemTerms(this.reader.stems, this.known, t);
  }
  #isStop(word: string): boolean {
    return wordLists.isStop(this.language, word);
  }

  // askAll asks for what look-ups of all words read, so that they take a round for all.
  #askAll(text: string): void {
    const all = tokens(text).filter((t) => !indexOnly(t)).slice(0, maxWords);
    this.data.now.all(
      () => this.data.places(),
      () => this.data.find("NAME", fold(text.trim())),
      () => this.data.now.each(all, (t) => askWord(this.data, this.#keys(t), t)),
      () => this.#askPairs(all, this.reader.typing ? text.length : -1),
    );
  }

  // askPairs asks for what the file has of neighbours, as far as words are what they seem, and for what reads words that
  // the index lacks, but for one that is being typed: it ends at open.
  #askPairs(all: readonly Token[], open: number): void {
    const words = all.filter((t) => !t.whole);
    const names = this.data.now.each(words, (t) => { // a stem where there is one, unless accents tell words apart
      const keys = [...this.#keys(t), t.fold];
      const found = this.data.now.each(keys, (key) => this.data.term(key));
      const accents = t.fold !== t.lower || this.data.prefixed("TERM", exactPrefix(t.fold)).length > 0;
      const names = keys.filter((_, i) => found[i] >= 0);
      if (names.length === 0 && t.end !== open) this.data.now.ahead("./misspelling.js");
      return names.slice(0, accents ? keys.length : 1);
    });
    this.data.now.each(words.slice(1).map((_, i) => i), (i) => {
      if (words[i].pos + 1 === words[i + 1].pos) this.data.now.each(hashesOf(names[i], names[i + 1]), (h) => pairOf(this.data, h));
    });
  }

  // detect names the language of a query: of its words and letters, else the one whose stems its words are.
  #detect(raw: string, asked: Language): Language {
    raw = cutBytes(raw, 1024);
    const known = asked ? [asked, ...this.known.filter((l) => l !== asked)] : this.known;
    const { language, open } = english(raw, known, wordLists) ??
      this.data.now.module<LanguagesModule>("./languages.js").detectQuery(raw, known, wordLists, this.reader.letters);
    return language === "" && open ? asked || this.#fromLexicon(raw) : language;
  }

  #fromLexicon(raw: string): Language {
    const known = this.known;
    if (known.length === 0) return "";
    const [votes, knows] = [known.map(() => 0), known.map(() => 0)];
    let words = 0;
    for (const t of tokens(raw)) {
      if (t.whole || t.cjk) continue;
      if (++words > maxVoters) break;
      const shares = known.map((l) => {
        const id = this.data.term(stemTerm(l, this.reader.stems.get(l)!.of(t.lower)));
        return id >= 0 && this.#docs.get(l)! > 0 ? this.data.postings(id).chunks / this.#docs.get(l)! : 0;
      });
      let total = 0;
      for (const s of shares) total += s;
      shares.forEach((s, k) => {
        knows[k] += +(s > 0);
        if (total > 0) votes[k] += s / total;
      });
    }
    const best = votes.reduce((b, v, k) => (v > votes[b] ? k : b), 0);
    return knows[best] === 0 || 2 * knows[best] < Math.min(words, maxVoters) ? "" : known[best];
  }

  /** The word of a token. */
  word(t: Token, role: Role): Word {
    const w = blank(t.fold, t, this.#isStop(t.fold));
    look(this.data, w, this.#keys(t), t, role);
    return w;
  }

  /** Reads the words. */
  query(): Query {
    const [data, weights, text] = [this.data, this.data.meta.weights, this.reading.text];
    const all: Word[] = [];
    let list = tokens(text);
    let role = this.reader.letters?.roles(this.language, list, wordLists) ?? list.map((): Role => "subject");
    let [used, end, part, content, unsure] = [0, 0, 0, false, false];
    for (let at = 0; at < list.length; at++) {
      const t = list[at];
      if (indexOnly(t) || t.start < end) continue;
      if (used === maxWords) {
        this.note(`the query has more than ${maxWords} words, the first ones are read`);
        break;
      }
      while (part < this.reading.parts.length && this.reading.parts[part].end <= t.start) part++;
      const here = this.reading.parts[part];
      const it = here && here.start <= t.start ? here.item : undefined;
      const plain = !it || it.mark === "";
      let w: Word;
      if (plain) w = this.word(t, role[at]);
      else {
        w = { ...this.marked(it), pos: t.pos };
        end = here.end;
      }
      if (it?.asked) w.stop = false;
      if (plain && this.reader.typing && t.end === text.length && at === list.length - 1) this.#typed(w, t);
      const known = w.terms.length + (plain ? w.near.length : 0) > 0;
      unsure = unsure || !known;
      if (t.whole && !known && end <= t.start) continue; // its parts say all that is known of it
      if (!known && end <= t.start && it?.kind !== "phrase") {
        this.corrections.correct(w, t);
        const parts = !it && w.near.length === 0 ? this.corrections.compound(t) : undefined;
        if (parts) {
          const own = parts.map((): Role => "subject");
          [list, role] = [this.corrections.unfold(list, at, parts), [...role.slice(0, at + 1), ...own, ...role.slice(at + 1)]];
          continue;
        }
      }
      used++;
      content = content || !w.stop;
      w.idf = idfOf(this.#chunks, w.df) * (w.whole ? weights.whole : 1) * (role[at] === "grammar" ? weights.grammar : 1);
      all.push(w);
    }
    const left = unscored(data, all, !content, (text) => this.note(text));
    const words = all.filter((w) => !(w.stop && content) && !left.has(w.text));
    data.now.each(words, (w) => data.now.each([...w.terms, ...w.near, ...w.exact], (term) => data.postings(term)));
    return { text, language: this.language, words, all, unsure, notes: this.notes };
  }

  /** The word of prefix* or fuzzy~. */
  marked(it: Item): Word {
    return (this.#marks ??= new this.reader.operators!.Marks(this)).word(it);
  }

  /** What is known of words that the index lacks. */
  get corrections(): Corrections {
    return (this.#corrections ??= new (this.data.now.module<MisspellingModule>("./misspelling.js").Corrections)(this));
  }

  /** Gives a word that the index lacks what it was read as elsewhere in the query. */
  corrected(w: Word): void {
    this.#corrections?.again(w);
  }

  // typed gives a word that may not be ended yet the most frequent terms that begin so.
  #typed(w: Word, t: Token): void {
    if (t.whole || t.cjk || [...t.fold].length < 2) return;
    const ids = this.data.prefixed("TERM", t.fold).slice(0, maxBegun).map(([id]) => id);
    const dfs = this.data.now.each(ids, (id) => this.data.postings(id).chunks);
    const list = ids.map((id, i) => ({ id, text: "", distance: 0, other: false, df: dfs[i] })).filter((c) => c.df > 0);
    const df = w.df;
    this.addNear(w, list.sort((a, b) => b.df - a.df || a.id - b.id), maxTyped);
    if (df > 0) w.df = df;
    w.stop = w.stop && w.near.length === 0;
  }

  /** Adds the first candidates as terms that the word may be a misspelling of. */
  addNear(w: Word, list: readonly Candidate[], most: number): void {
    const lists = new Lists(this.data, w.terms);
    let sum = w.df;
    for (const c of list.slice(0, most)) {
      if (!lists.add(c.id)) continue;
      w.near.push(c.id);
      sum += c.df;
    }
    w.df = Math.min(sum, this.#chunks);
  }
}
