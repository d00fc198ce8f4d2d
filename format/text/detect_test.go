package text

import (
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	tests := []struct {
		name string
		text string
		want Lang
	}{
		{"empty", "", ""},
		{"symbols", "1234 --- ***", ""},
		{"names only", "Alpha Beta\nGamma Delta\nEpsilon", ""},
		{"code only", "```go\nfunc main() { for i := range the.and.of { is(it) } }\n```\n", ""},
		{"Arabic", "يقرأ البرنامج الملفات من المجلد ثم يبني الفهرس. لا يحتاج إلى اتصال بالشبكة. يمكن للمستخدم أن يبحث في النص بعد ذلك.", "ar"},
		{"Catalan", "El programa llegeix els fitxers de la carpeta i després construeix l'índex. Això no és difícil. Amb aquesta eina es pot cercar tot el text.", "ca"},
		{"Chinese", "程序读取文件夹中的文件，然后建立索引。它不需要网络连接。用户可以搜索全文。", "zh"},
		{"Czech", "Program čte soubory ze složky a pak vytvoří rejstřík. Není k tomu třeba síť. Uživatel může hledat v celém textu, který je v něm uložen.", "cs"},
		{"Danish", "Programmet læser filerne i mappen og bygger derefter et indeks. Det behøver ikke noget netværk. Brugeren kan søge i hele teksten, når det er færdigt.", "da"},
		{"Dutch", "Het programma leest de bestanden in de map en bouwt daarna een index. Er is geen netwerk nodig. De gebruiker kan in de hele tekst zoeken.", "nl"},
		{"English", "The program reads the files of a folder and then builds an index. It does not need a network. Users can search the whole text.", "en"},
		{"Finnish", "Ohjelma lukee kansion tiedostot ja rakentaa sitten hakemiston. Se ei tarvitse verkkoa. Käyttäjä voi hakea koko tekstistä, kun se on valmis.", "fi"},
		{"French", "Le programme lit les fichiers du dossier puis construit un index. Il n'a pas besoin de réseau. L'utilisateur peut chercher dans tout le texte.", "fr"},
		{"German", "Das Programm liest die Dateien eines Ordners und baut dann einen Index. Es braucht kein Netz. Der Benutzer kann im ganzen Text suchen.", "de"},
		{"Greek", "Το πρόγραμμα διαβάζει τα αρχεία και φτιάχνει ένα ευρετήριο.", "el"},
		{"Hebrew", "התוכנית קוראת את הקבצים ובונה אינדקס.", "he"},
		{"Hindi", "प्रोग्राम फ़ाइलें पढ़ता है और फिर सूची बनाता है।", "hi"},
		{"Hungarian", "A program beolvassa a mappa fájljait, majd felépít egy indexet. Nem kell hozzá hálózat. A felhasználó az egész szövegben kereshet.", "hu"},
		{"Indonesian", "Program ini membaca berkas dari folder dan kemudian membuat indeks. Tidak ada jaringan yang diperlukan. Pengguna dapat mencari dalam semua teks.", "id"},
		{"Irish", "Léann an ríomhchlár na comhaid agus ansin tógann sé innéacs. Níl aon líonra ag teastáil. Is féidir leis an úsáideoir an téacs go léir a chuardach.", "ga"},
		{"Italian", "Il programma legge i file della cartella e poi costruisce un indice. Non ha bisogno della rete. L'utente può cercare in tutto il testo.", "it"},
		{"Japanese", "プログラムはフォルダのファイルを読み、索引を作ります。ネットワークは要りません。", "ja"},
		{"Korean", "프로그램은 폴더의 파일을 읽고 색인을 만듭니다. 네트워크는 필요하지 않습니다.", "ko"},
		{"Korean among English terms", "새 `kebab mcp` subcommand 를 도입한다. Claude Code, Cursor 등 agent host 가 spawn 하는 MCP server 구현이다.", "ko"},
		{"Norwegian", "Programmet leser filene i mappen og bygger deretter en indeks. Det trenger ikke noe nettverk. Brukeren kan søke i hele teksten etter hva som helst.", "no"},
		{"Persian", "برنامه پرونده\u200cها را می\u200cخواند و سپس یک نمایه می\u200cسازد. به شبکه نیاز ندارد.", "fa"},
		{"Polish", "Program czyta pliki z folderu, a potem tworzy indeks. Nie jest do tego potrzebna sieć. Użytkownik może szukać w całym tekście, który się w nim znajduje.", "pl"},
		{"Portuguese", "O programa lê os arquivos da pasta e depois constrói um índice. Não precisa de rede. O usuário pode procurar em todo o texto.", "pt"},
		{"Romanian", "Programul citește fișierele din dosar și apoi construiește un index. Nu are nevoie de rețea. Utilizatorul poate căuta în tot textul.", "ro"},
		{"Russian", "Программа читает файлы из папки и затем строит указатель. Сеть ей не нужна. Пользователь может искать по всему тексту.", "ru"},
		{"Spanish", "El programa lee los archivos de la carpeta y después construye un índice. No necesita red. El usuario puede buscar en todo el texto.", "es"},
		{"Spanish without accents", "El programa lee los archivos y despues construye un indice. No necesita conexion. Los usuarios pueden buscar en el texto.", "es"},
		{"Swedish", "Programmet läser filerna i mappen och bygger sedan ett index. Det behövs inget nätverk. Användaren kan söka i hela texten när det är klart.", "sv"},
		{"Tamil", "நிரல் கோப்புகளைப் படித்து பின்னர் ஒரு அட்டவணையை உருவாக்குகிறது.", "ta"},
		{"Thai", "โปรแกรมอ่านไฟล์ในโฟลเดอร์แล้วสร้างดัชนี", "th"},
		{"Turkish", "Program klasördeki dosyaları okur ve sonra bir dizin oluşturur. Bunun için ağ gerekmez. Kullanıcı tüm metinde arama yapabilir.", "tr"},
		{"Ukrainian", "Програма читає файли з теки і потім будує покажчик. Мережа їй не потрібна.", "uk"},
		{"Bulgarian", "Програмата чете файловете и след това създава индекс. Търсенето е бързо.", "bg"},
		{"Bulgarian of common letters", "Покажи всички файлове. Виж и помощта на програмата, която се отваря без име.", "bg"},
		{"Russian of common letters", "Покажи все папки. Смотри также помощь для команды, которая также пишет на диск.", "ru"},
		{"Serbian", "Програм чита датотеке и затим прави индекс који се љако претражује.", "sr"},
		{"Vietnamese", "Chương trình đọc các tệp trong thư mục và sau đó tạo chỉ mục. Người dùng có thể tìm trong toàn bộ văn bản.", "vi"},
		{"Spanish around English code", "Ejecuta el comando:\n\n```sh\nif the file is not there then do it with this and that\n```\n\nLos resultados se guardan en la carpeta con `the name of the index`.", "es"},
		{"addresses do not count", "[el](https://la.los/de/la/que/por/una) The index is in the [folder](https://de.la/los/las) of the user.", "en"},
		{"capitals", "THE USER MUST NOT CHANGE THE PASSWORD OF ANOTHER USER. THIS IS FORBIDDEN BY THE RULES.", "en"},
		{"capitals but for a name", "EL USUARIO NO PUEDE CAMBIAR LOS DATOS DE LA FACTURA CON useState.", "es"},
		{"letters are no elisions", "# D\n\nPlan C, Plan T", ""},
		{"a formula", "layer N > layer M, N:N", ""},
		{"a format and a loop", "for _, c := range t { s = d + c }", ""},
		{"elisions", "L'image d'origine s'ouvre", "fr"},
		{"typographic elisions", "L’image d’origine s’ouvre", "fr"},
		{"nothing but acronyms", "API REST HTTP JSON XML", ""},
		{"acronyms do not count", "CA CA CA CA CA: los datos de la persona no salen del equipo.", "es"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Detect(test.text); got != test.want {
				t.Errorf("Detect = %q, want %q", got, test.want)
			}
			long := strings.Repeat(test.text+"\n\n", 2+3*sampleBytes/(len(test.text)+2))
			if got := Detect(long); got != test.want {
				t.Errorf("Detect of %d times as much = %q, want %q", len(long)/(len(test.text)+2), got, test.want)
			}
		})
	}
}

func queryLanguage(text string, known []Lang) Lang {
	lang, _ := DetectQuery(text, known)
	return lang
}

func TestDetectQuery(t *testing.T) {
	tests := []struct {
		name  string
		text  string
		known []Lang
		want  Lang
	}{
		{"empty", "", []Lang{"en"}, ""},
		{"no evidence", "useState reducer", []Lang{"es", "en"}, ""},
		{"emoji", "👍👍", nil, ""},
		{"English", "how do I reset the state", nil, "en"},
		{"English in a Spanish index", "how to validate the documents", []Lang{"es"}, "en"},
		{"Spanish", "cómo se valida un documento", nil, "es"},
		{"Spanish by its marks alone", "¿useState?", []Lang{"en"}, "es"},
		{"Spanish marks around Chinese", "¿什么是 useState?", []Lang{"en"}, "zh"},
		{"Spanish without accents", "como se validan los documentos", []Lang{"en", "es"}, "es"},
		{"one Spanish letter", "tamaño máximo", []Lang{"en", "es"}, "es"},
		{"French", "comment puis-je réinitialiser l'état", nil, "fr"},
		{"German", "wie kann ich den Zustand zurücksetzen", nil, "de"},
		{"Italian", "come si può cambiare lo stato della pagina", nil, "it"},
		{"Portuguese", "como posso validar um documento na pasta", nil, "pt"},
		{"Dutch", "hoe kan ik het bestand zoeken", nil, "nl"},
		{"Swedish", "hur kan jag söka i alla filer", nil, "sv"},
		{"Danish", "hvordan kan jeg søge efter en fil", []Lang{"da"}, "da"},
		{"Norwegian", "hvordan kan jeg søke etter en fil", []Lang{"no"}, "no"},
		{"Polish", "jak można znaleźć plik w folderze", nil, "pl"},
		{"Turkish", "durum nasıl sıfırlanır", nil, "tr"},
		{"Hungarian", "hogyan lehet a fájlokat keresni", nil, "hu"},
		{"Finnish", "miten voin hakea kaikki tiedostot", nil, "fi"},
		{"Romanian", "cum pot căuta în toate fișierele", nil, "ro"},
		{"Russian", "как сбросить состояние", nil, "ru"},
		{"Bulgarian words", "как се отваря папка", nil, "bg"},
		{"Russian letters in a Ukrainian index", "пошук тексту", []Lang{"uk"}, "uk"},
		{"Korean", "상태 초기화 방법", nil, "ko"},
		{"Korean with Latin", "useState 사용법", []Lang{"en"}, "ko"},
		{"Japanese", "状態をリセットする方法", nil, "ja"},
		{"Han alone", "状態管理", nil, "zh"},
		{"Han alone in a Japanese index", "状態管理", []Lang{"ja"}, "ja"},
		{"Arabic", "كيف يمكن البحث", nil, "ar"},
		{"Thai", "วิธีค้นหา", nil, "th"},
		{"a shared word speaks for the index", "de", []Lang{"fr", "en"}, "fr"},
		{"the first of two", "de la", []Lang{"es", "fr"}, "es"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := queryLanguage(test.text, test.known); got != test.want {
				t.Errorf("DetectQuery(%q, %q) = %q, want %q", test.text, test.known, got, test.want)
			}
		})
	}
}

func TestDetectUsesBoundedTime(t *testing.T) {
	// Fences, code spans and digits without an end must not make the sample quadratic: 8 MB of each.
	for _, unit := range []string{"`", "```\n", "1", "](", "://", "a", "中", "\xff", "~~~ x\n", "a'"} {
		text := strings.Repeat(unit, 8<<20/len(unit))
		_ = Detect(text)
		if got := queryLanguage(text, nil); got != "" && got != "zh" {
			t.Errorf("DetectQuery of %q repeated = %q, want none or zh", unit, got)
		}
	}
}
