// <kdd-search> in the bar of a book of mdBook, see ../README.md. path_to_root is what mdBook says of each page.
{
  const start = document.createElement("script");
  start.src = `${path_to_root}kdd/start.js`;
  const search = document.createElement("kdd-search");
  for (const [name, value] of Object.entries({ src: `${path_to_root}kdd/docs.kddx`, base: path_to_root || "./", pages: "html" })) {
    search.setAttribute(name, value);
  }
  document.head.append(start);
  document.querySelector(".menu-bar .right-buttons").prepend(search);
}
