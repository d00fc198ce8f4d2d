#!/usr/bin/env python3
"""Compare the figures of "kdd eval" with those of another scorer. Standard library only.

  agree.py KDD SCORE.PY SET=ARTIFACT [SET=ARTIFACT ...]

KDD       the program
SCORE.PY  a scorer with score(folder, run, queries) -> {'doc': {qid: {metric: value}}, 'sec': ...}
SET       a folder with queries.tsv and qrels.tsv (queries.sent.tsv is compared too, if there is one)
ARTIFACT  what kdd build made of the set's corpus

Each set is asked in every mode that the artifact has. The run that "eval --save" writes is scored by the other program;
every mean, by document and by section, over all questions and by the prefix of their ids, has to be the same to the
fourth decimal. Exits with 1 if one is not.
"""
import importlib.util, json, os, subprocess, sys, tempfile

NAMES = {'ndcg_10': 'nDCG@10', 'mrr_10': 'MRR@10', 'hit_1': 'hit@1', 'hit_3': 'hit@3', 'recall_10': 'R@10', 'recall_100': 'R@100'}
LEVELS = {'document': 'doc', 'section': 'sec'}


def compare(kdd, scorer, folder, artifact, queries, mode):
    """Returns the number of figures that were compared, and a line for each that differs."""
    with tempfile.TemporaryDirectory() as tmp:
        run = os.path.join(tmp, 'run.tsv')
        done = subprocess.run([kdd, 'eval', os.path.join(folder, queries), os.path.join(folder, 'qrels.tsv'), '-i', artifact, '--mode', mode,
                               '--group', 'prefix', '--save', run, '--format', 'json'], capture_output=True, text=True)
        if done.returncode:
            return 0, ['%s %s %s: %s' % (folder, queries, mode, done.stderr.strip())]
        theirs = scorer.score(folder, run, queries)
    compared, wrong = 0, []
    for row in json.loads(done.stdout)['rows']:
        if row['system'] != 'kdd':
            continue
        group = row.get('group')
        per = [m for q, m in theirs[LEVELS[row['level']]].items() if group in (None, q.rsplit('-', 1)[0])]
        if len(per) != row['questions']:
            wrong.append('%s %s %s %s %s: %d questions, the other scorer has %d' % (folder, queries, mode, row['level'], group, row['questions'], len(per)))
            continue
        for mine, name in NAMES.items():
            value = sum(m[name] for m in per) / len(per)
            compared += 1
            if abs(row[mine] - value) > 0.00005001:
                wrong.append('%s %s %s %s %s %s: %.4f, the other scorer has %.6f' % (folder, queries, mode, row['level'], group, name, row[mine], value))
    return compared, wrong


def main():
    if len(sys.argv) < 4 or any('=' not in a for a in sys.argv[3:]):
        sys.exit(__doc__)
    kdd, path = sys.argv[1:3]
    spec = importlib.util.spec_from_file_location('scorer', path)
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    failed = False
    for pair in sys.argv[3:]:
        folder, artifact = pair.split('=', 1)
        vectors = json.loads(subprocess.run([kdd, 'stats', '-i', artifact, '--format', 'json', '--max-bytes', '0'], capture_output=True, text=True, check=True).stdout)
        modes = ['hybrid', 'lexical', 'vector'] if vectors['artifacts'][0]['encoder'] != 'none' else ['lexical']
        for queries in ('queries.tsv', 'queries.sent.tsv'):
            if not os.path.exists(os.path.join(folder, queries)):
                continue
            for mode in modes:
                compared, wrong = compare(kdd, scorer, folder, artifact, queries, mode)
                failed = failed or bool(wrong) or not compared
                print('%s %s %s: %d figures compared, %d differ' % (os.path.basename(os.path.normpath(folder)), queries, mode, compared, len(wrong)))
                for line in wrong:
                    print('  ' + line)
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
