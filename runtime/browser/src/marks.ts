// Words of a query with a mark: prefix* and fuzzy~.
import { Lists, blank, fold, tokens } from "#core";
import { editsOf } from "#question";
import type { Parse } from "./parse.ts";
import type { Item } from "./syntax.ts";
import type { Word } from "./word.ts";

const maxPrefix = { walk: 20_000, terms: 100, all: 300 };
const maxFuzzy = 20;

/** The marked words of one query, which have bounds together. */
export class Marks {
  readonly #p: Parse;
  readonly #known = new Map<string, Word>();
  #walked = 0;
  #expanded = 0;

  constructor(p: Parse) {
    this.#p = p;
  }

  /** The word of prefix* or fuzzy~. */
  word(it: Item): Word {
    const key = `${it.mark} ${it.edits} ${it.text}`;
    let w = this.#known.get(key);
    if (!w) this.#known.set(key, (w = it.mark === "fuzzy" ? this.#fuzzy(it) : this.#prefix(it)));
    return w;
  }

  #fuzzy(it: Item): Word {
    const t = tokens(it.text)[0];
    const w = this.#p.word(t, "subject");
    const edits = it.edits || Math.max(1, editsOf([...t.fold].length));
    [w.text, w.stop, w.whole] = [`${w.text}~${edits}`, false, false];
    this.#p.addNear(w, this.#p.corrections.near(t.fold, edits, false), maxFuzzy);
    return w;
  }

  #prefix(it: Item): Word {
    const [data, key, t] = [this.#p.data, fold(it.text), tokens(it.text)[0]];
    const w = blank(`${key}*`, t, false);
    [w.whole, w.part] = [false, false];
    const found = data.prefixed("TERM", key);
    const some = found.slice(0, Math.max(0, maxPrefix.walk - this.#walked));
    this.#walked += found.length;
    const dfs = data.now.each(some, ([id]) => data.postings(id).chunks);
    let list = some.map(([id], i) => ({ id, df: dfs[i] })).filter((c) => c.df > 0).sort((a, b) => b.df - a.df || a.id - b.id);
    const most = Math.min(maxPrefix.terms, Math.max(1, maxPrefix.all - this.#expanded));
    if (list.length > most || some.length < found.length) {
      list = list.slice(0, most);
      this.#p.note(`"${it.text}*" stands for too many words, the ${list.length} most frequent are used`);
    }
    this.#expanded += list.length;
    const lists = new Lists(data);
    let sum = 0;
    for (const c of list) {
      if (!lists.add(c.id)) continue;
      w.terms.push(c.id);
      sum += c.df;
    }
    w.df = Math.min(sum, data.rows("CHNK"));
    return w;
  }
}
