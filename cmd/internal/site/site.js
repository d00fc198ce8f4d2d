// Light or dark, as chosen before on this device; the menu closes when a page is chosen in it. Pages work without it.
(() => {
  const root = document.documentElement;
  let theme = null;
  try {
    theme = localStorage.getItem("kdd-theme");
  } catch {
    // A page without storage follows the system.
  }
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("header.top .theme");
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      try {
        localStorage.setItem("kdd-theme", root.dataset.theme);
      } catch {
        // As above.
      }
    });
    const menu = document.querySelector("details.menu");
    document.addEventListener("click", (e) => {
      if (!menu.contains(e.target) || e.target.closest("a")) menu.open = false;
    });
    document.addEventListener("keydown", (e) => {
      if (e.key === "Escape" && menu.open) {
        menu.open = false;
        menu.querySelector("summary").focus();
      }
    });
    const current = document.querySelector("nav.side [aria-current]");
    if (current) current.scrollIntoView({ block: "center" });
    if (current) window.scrollTo(0, location.hash ? window.scrollY : 0);
    const places = new Map([...document.querySelectorAll("nav.toc a")].map((a) => [decodeURIComponent(a.hash.slice(1)), a]));
    const headings = [...document.querySelectorAll("article [id]")].filter((h) => places.has(h.id));
    const mark = () => {
      let at = headings[0];
      for (const h of headings) if (h.getBoundingClientRect().top < 120) at = h;
      for (const [id, a] of places) a.toggleAttribute("data-here", at && id === at.id);
    };
    if (headings.length > 0) {
      addEventListener("scroll", mark, { passive: true });
      mark();
    }
  });
})();
