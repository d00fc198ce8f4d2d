package text

// More stop words, folded and sorted, each with a space before and after: a search in such a string costs about 50 ns, and
// starting the program nothing.
const (
	stopHungarian = " a abban abbol ahogy ahol akar aki akik amely amelyek amelyet ami amig amikor at az azert azok azon azonban " +
		"azt aztan be belul benne csak de e ebben ebbol egy egyeb egyes egyik egyutt el ele elott en ennek es ez ezek " +
		"ezert ezt ezzel fel fele ha hanem hogy hogyan hol hozza igen igy ill ilyen is ismet itt kell kellett ki " +
		"kivul kozott koztuk kozul le legyen lehet lesz lett ma maga magat majd mar mas mast meg mellett mely melyek " +
		"mert mi miatt mig mik mikor mind minden mindig mint mintha mit mivel most nagyon ne neha nekem neki nelkul " +
		"nem nincs o ok oket olyan ossze ott pedig persze ra s sajat sem semmi soha sok sokkal szamara szerint szinte " +
		"talan te tehat teljesen ti tobb tovabb tovabba tul ugy ugyanis ujra utan utana vagy vagyis vagyok valaki " +
		"valami valamint van vannak vele vissza viszont volna volt voltak "

	stopIrish = " a ach ag agus aici aige air an ansin ar arna as ata ba bheith bhfaigheann bhfuil bhi bionn cad ce chuig chun " +
		"conas cuid da de den dha do don faoi fearr fein fos fuair gach gan go gur i iad idir in ina inar is isteach " +
		"le leis leo liom mar me mo muid na nach nar ni nil no nuair o os riamh ro roimh sa san se seo si siad sibh " +
		"sin sinn sna suid ta tar thar thu tri tu uaidh uile um "

	stopItalian = " a abbia abbiamo ad agli ai al alcune alcuni all alla alle allo altra altre altri altro anche ancora avere " +
		"aveva avevano c che chi ci cio come con contro cosa cosi cui d da dagli dai dal dall dalla dalle dallo degli " +
		"dei del dell della delle dello di dopo dove due e ed era erano essere fa fino fra fu gia gli ha hai hanno ho " +
		"i il in io l la le lei li lo loro ma me mentre mi mia mie miei mio molto ne negli nei nel nell nella nelle " +
		"nello noi non nostra nostre nostri nostro o od ogni oltre per perche pero piu poi prima proprio puo qual " +
		"quale quali quando quanto quella quelle quelli quello questa queste questi questo qui quindi sara se secondo " +
		"sei sempre senza si sia siamo siano sono sopra sotto sta stata state stati stato su sua sue sugli sui sul " +
		"sull sulla sulle suo suoi tale tra tu tua tue tuo tutta tutte tutti tutto un una uno vi voi "

	stopNorwegian = " alle alt altsa andre annen annet at av bade bare begge ble blei blir blitt da de deg dei deira dem den denne " +
		"der deres det dette din dine disse ditt du eg ei eit eller en enn er et etter ettersom fa far for fordi fra " +
		"gjennom gjor ha hadde han hans har hennar henne hennes her hos hun hva hvem hver hvilken hvilket hvis hvor " +
		"hvordan hvorfor i ikke ikkje ingen inn ja jeg kan kom korleis kun kunne kva ma mange med meg meget mellom " +
		"men mens mer mi min mine mitt mot na nar no noe noen noko nokon og ogsa om opp oss over pa sa samme seg selv " +
		"sidan sin sine sitt sjol skal skulle slik som til um under ut uten vaere vaert var vare vart ved vere vi via " +
		"vil ville "

	stopPortuguese = " a ainda alem algum alguma algumas alguns ante antes ao aos apos aquela aquelas aquele aqueles aquilo as " +
		"assim ate cada com como contra cuja cujo da das de dela delas dele deles depois desde dessa desse desta " +
		"deste do dos durante e ela elas ele eles em enquanto entre era eram essa essas esse esses esta estao estas " +
		"estava este estes eu foi for foram ha isso isto ja lhe lhes mais mas me mediante mesma mesmas mesmo mesmos " +
		"meu meus minha minhas muito muitos na nao nas nem nenhum nessa nesse nesta neste no nos nossa nossas nosso " +
		"nossos num numa o onde os ou outra outras outro outros para pela pelas pelo pelos pode podem pois por porque " +
		"quais qual qualquer quando quanto que quem sao se seja sejam sem sempre ser sera seu seus si sido so sob " +
		"sobre sua suas tambem tanto te tem tenha ter tinha toda todas todo todos tu tua um uma umas uns voce voces "

	stopRomanian = " a aceasta aceea aceia acel acela acele acelea acest acesta aceste acestea acestei acestor acestui acolo acum " +
		"ai aici al ale alt alta alte altul am ar are as asta astfel asupra atat atunci au avand avea avem ca caci " +
		"cand care cat catre ce cea cei cel cele celor cine cu cum da daca dar de deci deja deoarece desi despre din " +
		"dintre doar dupa e ea ei el ele este eu face fara fi fie fiecare fiind fost iar ii il imi in inainte inca " +
		"incat intr intre isi iti la le li lor lui mai me mea mei mele meu mi mod mult multe multi ne nici nimic " +
		"niste noastra noi nostru nu o ori oricare pe pentru peste poate pot prea prin printre s sa sale sau se si " +
		"sub sunt suntem sus te toate tot toti totusi tu un una unde unei unele unii unor unui va voi vor vostru vreo "

	stopRussian = " а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее " +
		"если есть еще ж же за здесь и из или им их к как какая какой когда которая которого которой которую которые " +
		"который которых кто куда ли либо лишь между меня мне много может можно мои мой моя мы на над надо нам нами " +
		"нас не него нее ней нельзя нет ни них но ну о об однако он она они оно от перед по под после потом потому " +
		"почти при про с сам свое своей свои свой себе себя со так такая также такие такой там те тем то тогда того " +
		"тоже той только том тот ты у уже хотя чего чем через что чтобы чье чья эта эти этих это этого этой этом этот " +
		"эту я является "

	stopSpanish = " a al algo algun alguna algunas alguno algunos ante antes aquel aquella aquellas aquello aquellos aqui asi " +
		"aun aunque bajo bien cada como con contra cual cuales cualquier cuando cuanto de debe deben del desde donde " +
		"dos durante e el ella ellas ello ellos en entre era eran eres es esa esas ese eso esos esta estaba estaban " +
		"estan estar estas este esto estos estoy fue fueron fui ha habia habian han has hasta hay he la las le " +
		"les lo los mas me mediante mi mientras mis misma mismas mismo mismos muy nada ni no nos nosotros nuestra " +
		"nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque pues que quien quienes se sea " +
		"sean segun ser si sido siempre sin sino sobre solo son su sus tal tambien tan tanto te tiene tienen toda " +
		"todas todavia todo todos tras tu tus u un una unas uno unos usted ustedes vosotros y ya yo "

	stopSwedish = " alla allt an andra ar at att av bade bara bli blir blivit da dar darfor de dem den denna deras dess dessa " +
		"det detta dig din dina ditt du efter eftersom ej eller en er era ett finns for fran genom gora ha hade han " +
		"hans har hela hennes hon honom hos hur i icke igen in ingen inget innan inom inte jag ju kan kommer kunde " +
		"kunna langre man maste med mellan men mer mera mig min mina mitt mot mycket nagon nagot nagra nar nej ni nu " +
		"och ocksa om oss over pa redan sa sadan samma sedan sig sin sina sitt ska skall skulle som till tva under " +
		"upp ur ut utan vad var vara varfor varit varje vars vart vem vi vid vilka vilken vilket vill ytterligare "

	stopTamil = " அங்கு அங்கே அதனால் அதன் அதில் அது அதை அந்த அல்லது அவன் அவர் அவர்கள் அவள் அவை ஆக ஆகிய ஆகும் ஆனால் இங்கு இங்கே " +
		"இதனால் இதன் இதில் இது இதை இந்த இருக்கிறது இருந்த இருந்தது இருந்து இல்லை இவர் இவை உள்ள உள்ளது உள்ளன எது எந்த " +
		"என என்ன என்ப என்பது என்பதை என்ற என்று எப்படி எல்லா எல்லாம் ஏன் ஒரு கொண்ட கொண்டு சில தன் தான் நான் நாம் நீ " +
		"நீங்கள் பல பின் பின்னர் பிறகு போது போல் மட்டும் மற்ற மற்றும் மிக மிகவும் முதல் மூலம் மேலும் மேல் யார் வந்து " +
		"வரை வேண்டும் வேறு "

	stopTurkish = " acaba ama ancak artik aslinda ayrica az bana bazi belki ben benden beni benim beri bile bir bircok biri " +
		"birkac biz bizden bizi bizim boyle boylece bu buna bunda bundan bunlar bunlari bunlarin bunu bunun burada " +
		"cok cunku da daha de degil diger diye dolayi eger en fakat gibi gore hala hangi hatta hem henuz hep hepsi " +
		"her hic icin ile ilgili ise iste itibaren kadar karsin kendi ki kim kimi kimse mi mu nasil ne neden nerede " +
		"nereye nicin niye o olan olarak oldu oldugu olmak olmasi olsa olur ona once ondan onlar onlari onlarin onu " +
		"onun orada oysa pek ragmen sadece sanki sen senin sey siz sizin sonra su sunu tarafindan tum uzere uzerinde " +
		"var ve veya ya yani yapilan yerine yine yok zaten "
)
