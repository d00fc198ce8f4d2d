package diag

// Rules about files and folders, found while the sources are walked: KDD001 to KDD099.
const (
	Unreadable      Rule = 1
	TooLarge        Rule = 2
	Binary          Rule = 3
	NotUTF8         Rule = 4
	UTF16           Rule = 5
	NULByte         Rule = 6
	EmptyFile       Rule = 7
	LFSPointer      Rule = 8
	LinkOutside     Rule = 9
	LinkInside      Rule = 10
	LinkBroken      Rule = 11
	SpecialFile     Rule = 12
	SameName        Rule = 13
	NameNotUTF8     Rule = 14
	TooDeep         Rule = 15
	IgnoreFile      Rule = 16
	NestedSources   Rule = 17
	NothingInside   Rule = 18
	BrokenUTF16     Rule = 19
	SeenTwice       Rule = 20
	SubmoduleAbsent Rule = 21
)

var sourceRules = []RuleInfo{
	{Unreadable, "unreadable", Error, "a file or folder cannot be read",
		"grant read permission, or name it in .kddignore"},
	{TooLarge, "too-large", Error, "a file has more bytes than the limit",
		"split it, name it in .kddignore, or raise the limit"},
	{Binary, "binary", Warning, "a file with a document's extension is not text",
		"give it its own extension, or name it in .kddignore"},
	{NotUTF8, "not-utf8", Warning, "some bytes of a document are not UTF-8",
		"convert it to UTF-8, such as: iconv -f LATIN1 -t UTF-8"},
	{UTF16, "utf16", Note, "a document is UTF-16 and was read as such",
		"save it as UTF-8, so that other tools and git can show it"},
	{NULByte, "nul-byte", Warning, "a document of text holds a stray NUL byte",
		"remove the NUL byte"},
	{EmptyFile, "empty-file", Note, "a document has no text", ""},
	{LFSPointer, "lfs-pointer", Warning, "a file is a Git LFS pointer, so its content is not there",
		"run git lfs pull"},
	{LinkOutside, "link-outside", Warning, "a symbolic link leaves the source folder",
		"pass --follow-links, name its target as a source, or name the link in .kddignore"},
	{LinkInside, "link-inside", Note, "a symbolic link leads to another place in the source folder", ""},
	{LinkBroken, "link-broken", Warning, "a symbolic link leads nowhere, or in a circle",
		"repair or remove the link"},
	{SpecialFile, "special-file", Warning, "a pipe, socket or device has a document's extension",
		"remove it, or name it in .kddignore"},
	{SameName, "same-name", Warning, "two paths differ only in case or in how accents are encoded",
		"rename one: some file systems and web servers cannot tell them apart"},
	{NameNotUTF8, "name-not-utf8", Warning, "a file name is not UTF-8",
		"rename it: JSON and URLs cannot carry this name"},
	{TooDeep, "too-deep", Error, "folders are nested beyond the limit",
		"name a folder further down as the source"},
	{IgnoreFile, "ignore-file", Warning, "a .gitignore or .kddignore cannot be used", ""},
	{NestedSources, "nested-sources", Warning, "one source lies inside another",
		"name only the outer one, or keep the inner one out of it with --exclude"},
	{NothingInside, "nothing-inside", Warning, "one of several sources holds no document", ""},
	{BrokenUTF16, "broken-utf16", Warning, "some code units of a UTF-16 document are not characters",
		"save it as UTF-8 again from its source"},
	{SeenTwice, "seen-twice", Note, "with links followed, a file or folder is reached under two paths", ""},
	{SubmoduleAbsent, "submodule-absent", Warning, "a folder is a git submodule that is not checked out, so its documents are not there",
		"run git submodule update --init, or name the folder in .kddignore"},
}
