// What is used of marked and DOMPurify: markdown as HTML that runs nothing, for the page of kddq serve.
export { default as purify } from "dompurify";
export { marked } from "marked";
