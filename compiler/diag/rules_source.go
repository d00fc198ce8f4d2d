package diag

// Rules about files and folders, found while the sources are walked: KDD001 to KDD099.
var (
	Unreadable = rule(1, "unreadable", Error, "a file or folder cannot be read",
		"grant read permission, or name it in .kddignore")
	TooLarge = rule(2, "too-large", Error, "a file has more bytes than the limit",
		"split it, name it in .kddignore, or raise --max-file-size")
	Binary = rule(3, "binary", Warning, "a file with a document's extension is not text",
		"give it its own extension, or name it in .kddignore")
	NotUTF8 = rule(4, "not-utf8", Warning, "some bytes of a document are not UTF-8",
		"convert it to UTF-8, such as: iconv -f LATIN1 -t UTF-8")
	UTF16 = rule(5, "utf16", Note, "a document is UTF-16 and was read as such",
		"save it as UTF-8, so that other tools and git can show it")
	NULByte = rule(6, "nul-byte", Warning, "a document of text holds a stray NUL byte",
		"remove the NUL byte")
	EmptyFile  = rule(7, "empty-file", Note, "a document has no text", "")
	LFSPointer = rule(8, "lfs-pointer", Warning, "a file is a Git LFS pointer, so its content is not there",
		"run git lfs pull")
	LinkOutside = rule(9, "link-outside", Warning, "a symbolic link leaves the source folder",
		"pass --follow-links, name its target as a source, or name the link in .kddignore")
	LinkInside = rule(10, "link-inside", Note, "a symbolic link leads to another place in the source folder", "")
	LinkBroken = rule(11, "link-broken", Warning, "a symbolic link leads nowhere, or in a circle",
		"repair or remove the link")
	SpecialFile = rule(12, "special-file", Warning, "a pipe, socket or device has a document's extension",
		"remove it, or name it in .kddignore")
	SameName = rule(13, "same-name", Warning, "two paths differ only in case or in how accents are encoded",
		"rename one: some file systems and web servers cannot tell them apart")
	NameNotUTF8 = rule(14, "name-not-utf8", Warning, "a file name is not UTF-8",
		"rename it: JSON and URLs cannot carry this name")
	TooDeep = rule(15, "too-deep", Error, "folders are nested beyond the limit",
		"name a folder further down as the source")
	IgnoreFile    = rule(16, "ignore-file", Warning, "a .gitignore or .kddignore cannot be used", "")
	NestedSources = rule(17, "nested-sources", Warning, "one source lies inside another",
		"name only the outer one, or keep the inner one out of it with --exclude")
	NothingInside = rule(18, "nothing-inside", Warning, "one of several sources holds no document", "")
	BrokenUTF16   = rule(19, "broken-utf16", Warning, "some code units of a UTF-16 document are not characters",
		"save it as UTF-8 again from its source")
	SeenTwice = rule(20, "seen-twice", Note,
		"with links followed, a file or folder is reached under two paths", "")
	SubmoduleAbsent = rule(21, "submodule-absent", Warning,
		"a folder is a git submodule that is not checked out, so its documents are not there",
		"run git submodule update --init, or name the folder in .kddignore")
	IncludeMissing = rule(22, "include-missing", Warning, "a document includes a file that does not exist",
		"correct the path, or compile the folder that holds both")
	IncludeOutside = rule(23, "include-outside", Warning, "an include leads out of the source folder",
		"compile the folder that holds both")
	IncludeCircle = rule(24, "include-circle", Warning,
		"files include one another in a circle, or too deep", "take one of the includes out")
	IncludeUnread = rule(25, "include-unreadable", Warning, "an included file is not text or cannot be read", "")
	IncludePart   = rule(26, "include-part", Warning,
		"an include names lines or a part that its file does not have", "")
	IncludeLimit = rule(27, "include-limit", Warning,
		"includes bring more text than a document or a build takes", "include less, or split the document")
)
