// Package harness is what the commands of bench share: a table of measurements, flags and exit codes, artifacts that
// are built with the kdd binary, files of questions, and the folder that keeps a result.
//
//	func Run(args []string, stdout, stderr io.Writer) int {
//		return harness.Run("sizes", args, stderr, func(flags *flag.FlagSet) harness.Work {
//			out := flags.String("out", "", "folder that keeps the tables")
//			return func(ctx context.Context) error {
//				if flags.NArg() == 0 {
//					return harness.ErrUsage
//				}
//				text, err := measure(ctx, flags.Args())
//				return cmp.Or(err, harness.Report(stdout, *out, harness.Result{Title: "Sizes", Command: "speed sizes", Args: args, Body: text}))
//			}
//		})
//	}
package harness
