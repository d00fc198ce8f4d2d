// Globs over paths.

/** The test of a glob: * and ? within a folder, ** over folders, [abc] and {a,b}; undefined where it is none. */
export function globOf(glob: string): ((path: string) => boolean) | undefined {
  if (glob.length > 256 || (glob.match(/[*{]/g)?.length ?? 0) > 16) return undefined;
  let [out, open] = ["", 0];
  for (let i = 0; i < glob.length; i++) {
    const c = glob[i];
    const folder = i === 0 || glob[i - 1] === "/" || (open > 0 && "{,".includes(glob[i - 1]));
    const deep = folder && /^\*\*(\/|$|[,}])/.exec(glob.slice(i));
    if (deep && (open > 0 || !/[,}]/.test(deep[1]))) {
      if (deep[1] === "/") out += "(?:[^]*/)?";
      else out = out.endsWith("/") ? `${out.slice(0, -1)}(?:/[^]*)?` : `${out}[^]*`;
      i += deep[1] === "/" ? 2 : 1;
    } else if (c === "*") {
      while (glob[i + 1] === "*") i++;
      out += "[^/]*";
    } else if (c === "?") out += "[^/]";
    else if (c === "[") {
      const m = /^\[([!^]?)((?:\\.|[^\]\\])+)\]/.exec(glob.slice(i));
      if (!m) return undefined;
      out += `(?!/)[${m[1] ? "^" : ""}${m[2].replace(/[[\]^]/g, "\\$&")}]`;
      i += m[0].length - 1;
    } else if (c === "{") [out, open] = [`${out}(?:`, open + 1];
    else if (c === "}" && open > 0) [out, open] = [`${out})`, open - 1];
    else if (c === "," && open > 0) out += "|";
    else out += (c === "\\" ? (glob[++i] ?? "\\") : c).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  }
  if (open > 0) return undefined;
  try {
    const re = new RegExp(`^${out}$`, "u");
    return (path) => re.test(path);
  } catch {
    return undefined;
  }
}
