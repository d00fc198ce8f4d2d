package cli

// Standalone is kddq: the shared commands and nothing else. It is here so that kdd's script tests run the same tool.
func Standalone() Tool {
	return Tool{
		Name:      "kddq",
		Summary:   "ask compiled documentation (a .kddx file that kdd build made)",
		Elsewhere: []string{"attest", "build", "bundle", "check", "embed", "export", "keygen", "merge", "model", "pull", "push", "sign", "site", "watch"},
		Other:     "kdd",
	}
}
