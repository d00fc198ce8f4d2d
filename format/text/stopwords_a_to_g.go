package text

// The stop words, folded and sorted, each with a space before and after: a search in such a string costs about 50 ns, and
// starting the program nothing.
const (
	stopArabic = " احد اذ اذا الا الي ام اما ان انا انت انه انها او اي ايضا اين بان بعد بعض بل به بها بين بينما تحت تكون تلك تم " +
		"ثم جدا جميع حتي حول حيث حين خلال دون ذات ذلك سواء سوف عبر عدم علي عليه عليها عن عند عندما غير فان فقط في فيه " +
		"فيها قبل قد كان كانت كل كلا كما كنت كي كيف لا لان لدي لذا لذلك لك لكل لكن لم لما لماذا لن له لها لهذا لهم لو " +
		"لي ليس ليست ما ماذا متي مثل مع مما من منذ منه منها نحن نحو نعم نفس هؤلاء هذا هذه هل هم هنا هناك هو هي وان " +
		"وعلي وفي وقد وكان ولا ولكن ولم وما ومن وهذا وهو وهي يا يتم يجب يكون يمكن "

	stopDanish = " af aldrig alle alt altsa anden andet andre at bade bare begge blev blive bliver da de dem den denne der " +
		"deres det dette dig din dine disse dit dog du efter eller en end ene eneste er et fa far fik for fordi fra " +
		"gennem gor ham han hans har havde have hende hendes her hos hun hvad hvem hver hvilken hvilket hvis hvor " +
		"hvordan hvorfor hvornar i ikke ind ingen intet ja jeg jer jeres jo kan kun kunne lige ma man mange maske med " +
		"meget mellem men mens mere mig min mine mit mod nar ned nej nogen noget nogle nu og ogsa om op os over pa sa " +
		"sadan samme sammen selv sig sin sine sit skal skulle som stadig til ud uden under vaere vaeret var ved vi " +
		"via vil ville vor vores "

	stopDutch = " aan af al alle alleen als altijd andere ben bij binnen daar daarom dan dat de deze die dit doen door dus een " +
		"eens elk elke en enkele er geen geweest haar had hadden heb hebben heeft hem het hier hij hoe hun iets ik in " +
		"indien is ja je jij jouw jullie kan kon kunnen maar me meer men met mij mijn moet moeten mogen na naar niet " +
		"niets nog nu of om omdat onder ons onze ook op over reeds sinds te tegen ten ter terwijl tijdens toch toen " +
		"tot tussen u uit uw van vanaf vanuit veel via volgens voor vooral waar waarbij waarom wanneer want waren was " +
		"wat we wel welke werd werden wezen wie wij wil worden wordt zal ze zelf zich zij zijn zo zoals zodat zonder " +
		"zou zouden "

	stopEnglish = " a about above after again against all also am an and any are arent as at be because been before being below " +
		"between both but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each few " +
		"for from further had hadnt has hasnt have havent having he her here hers herself him himself his how i if im " +
		"in into is isnt it its itself ive just let me more most must my myself no nor not now of off on once only or " +
		"other ought our ours ourselves out over own same shall shant she should shouldnt so some such than that " +
		"thats the their theirs them themselves then there these they theyre this those through to too under until up " +
		"upon very was wasnt we were werent what when where whether which while who whom whose why will with within " +
		"without wont would wouldnt you your youre yours yourself yourselves "

	stopFinnish = " ehka ei eika eivat ellei emme en ennen etta han haneen hanelle hanen hanet he heidan heille heita ilman itse " +
		"ja jo joiden joihin joista joita joka joko jolla jolle jolloin jonka jos joskus jossa josta jota joten jotka " +
		"jotta kaikki kanssa keskella koko koska kuin kuinka kuitenkin kuka kun kuten kylla lapi lisaksi luo me " +
		"meidan meille melko mihin mika mikali milla milloin mina minka minun minut missa mista mita mitaan miten " +
		"mitka moni muita mukaan mutta muu muut myos myoskin myota naiden nain naissa naita nama ne niiden niin " +
		"niista niita noin nuo nyt ole olemme olen olet olette oli olimme olisi olit olivat olla ollut on onko ovat " +
		"paitsi pitaa saa se seka sen siella siihen siina siita silla sille silti sita sitten tahan tai talla tama " +
		"taman tassa tasta tata te teidan tulee tuo vaan vai vaikka vain valilla voi voidaan voin voivat yha yli "

	stopFrench = " a afin ai ainsi alors apres as au aucun aucune aussi autre autres aux avait avant avec avez avoir avons " +
		"ayant c car ce ceci cela celle celles celui ces cet cette ceux chaque chez ci comme comment d dans de depuis " +
		"des donc dont du elle elles en encore entre es est et etaient etait etant ete etes etre eu eux fait fois " +
		"font hors ici il ils j je jusqu l la laquelle le lequel les lesquelles lesquels leur leurs lors lorsque lui " +
		"m ma mais me meme memes mes moi moins mon n ne ni non nos notre nous on ont ou par parce pas pendant peu " +
		"peut peuvent plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa sans sauf se selon " +
		"sera seront ses si soi soit son sont sous suis sur t ta te tes toi ton toujours tous tout toute toutes tres " +
		"tu un une vers voici voila vos votre vous y "

	stopGerman = " ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf " +
		"aus ausser bei beim bereits bin bis bist da dabei dadurch dafur damit dann daran darauf das dass dein deine " +
		"dem den denn der deren des dessen die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine " +
		"einem einen einer eines er es etwa etwas euch euer fur gegen habe haben hat hatte hatten hier hin hinter ich " +
		"ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in indem ins ist ja je jede jedem jeden jeder jedes jedoch " +
		"jetzt kann kein keine keinen konnen konnte man mehr mein meine mich mir mit muss mussen nach nicht nichts " +
		"noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so sobald solche soll " +
		"sollen sollte sondern sowie uber um und uns unser unsere unter vom von vor wann war waren warum was weil " +
		"weitere welche welchem welchen welcher welches wenn wer werden wie wieder will wir wird wo worden wurde " +
		"wurden zu zum zur zwar zwischen "
)
