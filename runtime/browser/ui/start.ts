// Starts the component: as a module from a host, and as one script where the page is opened from a folder, since pages
// at file:// cannot import modules. A classic script: it finds the others beside itself.
const at = (document.currentScript as HTMLScriptElement).src;
if (location.protocol === "file:") {
  const script = document.createElement("script");
  script.src = new URL("kdd-search.file.js", at).href;
  document.head.append(script);
} else void import(new URL("kdd-search.js", at).href);

export {};
