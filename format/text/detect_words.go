package text

// Function words of languages that Detect knows beyond those with a stemmer, in the form of the stop words.
const (
	wordsCatalan = " aixo amb aquest aquesta aquests cada com del dels des el els en entre es ha han i la les mes no o on per " +
		"pero perque pot quan que s se seva si son tambe tot un una va "

	wordsCzech = " aby ale ani az bez bude byl byla bylo byt co dalsi do jak jako je jeho jejich jen jsme jsou k kde kdyz ktera " +
		"ktere ktery lze ma mezi muze na nebo neni nez o od po pod podle pokud pred pri pro proto s se si tak take " +
		"tento teto to toto u v ve vsak vsechny z za ze "

	wordsIndonesian = " ada adalah agar akan anda apa atau bagi bahwa banyak beberapa bisa dalam dan dapat dari dengan di digunakan " +
		"hanya harus ini itu jika juga kami karena ke kepada kita lain lebih maka mereka oleh pada saat sebagai " +
		"sebelum secara semua seperti serta setelah setiap sudah tersebut tidak untuk yang "

	wordsPolish = " aby albo ale bedzie bez byc byl byla bylo byly ci co czy dla do gdy gdzie go i ich im innych ja jak jako " +
		"jego jej jesli jest jeszcze juz kazdy kiedy ktora ktore ktorego ktorej ktory ktorych lub ma maja moze mozna " +
		"na nad nie niz od oraz po pod podczas poniewaz przed przez przy sa sie tak takze tego tej ten to tu tylko " +
		"tym w wiec wraz wszystkie z za ze zeby "

	wordsVietnamese = " ban bi cac cach chi cho chung co cua cung da de den do duoc gi hay hoac khi khong la lai lam ma moi mot nao " +
		"nay nen neu nhu nhung phai ra rat sau se su tai the theo thi tren trong truoc tu va vao ve vi viec voi "
)
