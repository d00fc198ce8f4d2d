// Code with a button that copies it.
import { el } from "./dom.ts";

/** Gives each block of code a button. */
export function code(body: HTMLElement): void {
  if (!navigator.clipboard) return; // on http hosts browsers have none
  for (const pre of body.querySelectorAll("pre")) {
    const text = pre.textContent ?? "";
    const button = el("button", { class: "copy", type: "button" }, "Copy");
    button.onclick = async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not copied";
      }
      setTimeout(() => (button.textContent = "Copy"), 1500);
    };
    const box = el("div", { class: "code" });
    pre.replaceWith(box);
    box.append(pre, button);
  }
}
