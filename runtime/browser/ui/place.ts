/** The address of a section on the page of kddq serve. */
export const placeURL = (path: string, anchor = "", index = ""): string =>
  `/?read=${encodeURIComponent((index && `${index}:`) + path + (anchor && `#${anchor}`))}`;
