/**
 * Pieces of questions in Swedish. In braces stand the name of a list of words, the sender's name, the school, the year
 * the pupil begins, or a number: `{merit}` a merit value, `{count}` a small number. `{programme}` is the same throughout a question.
 */
export const greetings = [
  'Hej!',
  'Hej,',
  'Hejsan!',
  'Hallå,',
  'Hej hej!',
  'God dag,',
  'Hej {school}!',
  'Tjena!',
  'Hej igen,',
  'Hej, hoppas allt är bra.',
] as const

export const closings = [
  'Tack på förhand!',
  'Mvh {name}',
  'Med vänlig hälsning\n{name}',
  'Hälsningar {name}',
  'Tacksam för svar.',
  'Tack!',
  'Tack så mycket 😊',
  'Hoppas ni hinner svara.',
  'Ring gärna om det är enklare.',
  'Allt gott,\n{name}',
  '/{name}',
  'Ha en fin dag!',
  'Svara gärna så snart ni kan, sista dagen närmar sig.',
] as const

/** Who is writing and why; said by the pupil. */
export const pupilContexts = [
  'Jag går i nian och ska söka till gymnasiet.',
  'Jag går i åttan men har redan börjat kolla skolor.',
  'Jag funderar på {programme} hos er.',
  'Jag har {merit} i meritvärde just nu.',
  'Jag bor i {town} och skulle behöva pendla.',
  'Jag har sökt {programme} som förstahandsval.',
  'Jag såg er film och blev nyfiken på {programme}.',
  'Jag har bott i Sverige i {count} år.',
  'Min kompis går hos er och trivs jättebra.',
  'Jag går ettan på en annan skola nu men trivs inte.',
  'Jag velar mellan {programme} och {other}.',
  'Min syokonsulent tipsade om er.',
  'Jag har dyslexi och läser mest med ljudböcker.',
  'Jag tränar {sport} fem dagar i veckan.',
  'Jag var på ert öppna hus men glömde fråga en sak.',
  'Jag ska flytta till {town} i sommar.',
  'Jag pluggar {language} hemma och vill fortsätta med det.',
  'Jag är inte behörig i {subject} än.',
] as const

export const parentContexts = [
  'Jag är mamma till en tjej som ska börja gymnasiet {year}.',
  'Jag är pappa till en kille i nian.',
  'Min son är intresserad av {programme}.',
  'Min dotter har sökt {programme} hos er.',
  'Vi flyttar till {town} i sommar med vår son som börjar ettan i höst.',
  'Vår dotter har autism och behöver en lugn miljö.',
  'Min son går i anpassad studiegång just nu.',
  'Jag är kontaktperson för en ungdom som bor hos oss.',
  'Vi är en familj i {town} med tvillingar som börjar {year}.',
  'Min dotter är elitsatsande i {sport}.',
  'Vår son har dyslexi och fick inte mycket hjälp i grundskolan.',
  'Jag arbetar som studie- och yrkesvägledare på en grundskola i {town}.',
] as const

/** Asked at any time of the year. */
export const anytimeCores = [
  'Hur många går i varje klass på {programme}?',
  'Vilka inriktningar finns på {programme}?',
  'Vad är det för skillnad på {programme} och {other} hos er?',
  'Kan man läsa {language} som modernt språk hela vägen till steg 5?',
  'Finns det möjlighet till modersmålsundervisning i {language}?',
  'Har ni NIU eller något annat för den som satsar på {sport}?',
  'Går det att kombinera {programme} med {sport} på elitnivå?',
  'Hur ser schemat ut en vanlig vecka? Slutar man sent?',
  'Får man busskort om man bor i {town}?',
  'Hur lång tid tar det med buss från {town} till er?',
  'Är lunchen gratis och finns det halalmat och vegetariskt?',
  'Får alla elever en egen dator?',
  'Hur jobbar ni med stöd för elever med dyslexi?',
  'Vilket stöd finns det för elever med adhd?',
  'Finns det en lugn plats att vara på om man blir trött av ljud?',
  'Hur ser det ut med kurator och skolsköterska, finns de varje dag?',
  'Kan man bo på elevhem eller finns det inackorderingsbidrag?',
  'Hur mycket APL är det och hjälper ni till att hitta plats?',
  'Kan man åka på utbyte eller göra praktik utomlands?',
  'Ingår det grundläggande högskolebehörighet i {programme}?',
  'Kan man läsa in behörighet i {subject} under första året?',
  'Finns det introduktionsprogram om man saknar betyg i {subject}?',
  'Går det att byta program efter första terminen om man väljer fel?',
  'Vilka individuella val kan man läsa i trean?',
  'Kan man komma och skugga en elev en dag?',
  'Erbjuder ni {programme} på engelska?',
  'Hur stor är skolan? Är det många som börjar varje år?',
  'Får man ta körkort genom skolan på {programme}?',
  'Hur är stämningen bland eleverna? Är det lätt att lära känna folk?',
  'Finns det prov eller intagningstest till {programme}?',
  'Är lokalerna anpassade för rullstol?',
  'Har ni något elevråd eller föreningar man kan vara med i?',
  'Vad brukar elever göra efter {programme}?',
  'Måste man köpa egna verktyg eller arbetskläder?',
  'Kan man läsa extra {subject} om man vill höja sig?',
  'Har ni läxhjälp efter skoltid?',
  'Vilka lärare har man i {subject}? Är de behöriga?',
  'Finns det skåp till alla och är det låst på rasterna?',
  'Finns det spetsutbildning eller mer avancerade kurser i {subject}?',
  'Kan man läsa som lärling på {programme}?',
] as const

/** Autumn: open houses and choosing. */
export const autumnCores = [
  'När är ert öppna hus i höst och måste man anmäla sig?',
  'Kommer ni att vara med på gymnasiemässan i år?',
  'Missade öppet hus, kan vi få en egen visning någon eftermiddag?',
  'Får man träffa lärare från {programme} på öppet hus?',
  'Vilka tider är ert öppna hus den {count} november?',
  'Kan man komma till öppet hus även om man går i åttan?',
  'Kommer ni till vår skola och berättar om {programme}?',
  'Var parkerar man lättast när man kommer på öppet hus?',
] as const

/** The application and what follows, January to May. */
export const applicationCores = [
  'Vad var lägsta antagningspoängen på {programme} förra året?',
  'Räcker {merit} poäng för att komma in på {programme}?',
  'Hur vet man att ansökan har kommit fram?',
  'Är det för sent att söka nu? Vi missade den 15 februari.',
  'Kan man ändra ordning på sina val under omvalsperioden?',
  'Hur många platser finns det på {programme} läsåret {year}?',
  'Måste man ha {programme} som förstahandsval för att komma in?',
  'Bor i en annan kommun, går det att söka till er ändå?',
  'Räknas meritpoängen för {language} in i meritvärdet?',
  'Hur söker man fri kvot och vilka papper behöver ni?',
  'När kommer det preliminära antagningsbeskedet?',
  'Om man inte kom in preliminärt, finns det någon chans i slutantagningen?',
] as const

/** From the final admission to the reserves, June to September. */
export const startCores = [
  'När är uppropet och vad ska man ha med sig?',
  'Står som reserv {count} på {programme}, hur stor är chansen att komma in?',
  'Har ni några lediga platser på {programme} till hösten?',
  'Hur tackar man ja till sin plats?',
  'När får man reda på vilken klass man hamnar i?',
  'Kan man byta till er skola efter att terminen har börjat?',
  'När kommer schemat för höstterminen?',
  'Om man är bortrest när det är upprop, förlorar man platsen då?',
] as const

/** Whole questions in other languages; the braces are those of the Swedish ones. */
export const otherLanguageQuestions = [
  'Hello! My family is moving to Sweden in August. Do you offer the IB programme, and is it possible to apply after the deadline?',
  'Hi, I finished grade 9 abroad. How do I get my grades translated so that I can apply for {programme}?',
  'Good afternoon, is there a language introduction programme at {school}? My daughter speaks English and {count} other languages but no Swedish yet.',
  'Hello, could we visit {school} in week 4{count}? We are only in town for a few days.\n\nKind regards,\n{name}',
  'Hi! Is any of the teaching in English? I have lived in Sweden for {count} years and I still find chemistry hard in Swedish.',
  'Dear admissions office, what are the tuition fees for students without a Swedish personal identity number?',
  'Hi, I play {count} instruments and want to combine music with science, is that possible at your school?',
  'Hello, my son has {merit} points. What are his chances for next autumn?',
  'Hi, do exchange students get a student card for the bus? Thanks, {name}',
  'Hello {school}, do you accept transfer students in the middle of the year? I am in my first year in another town and we have to move because of my mother’s job.',
  'مرحبا، هل يمكن لابني التسجيل في المدرسة إذا كان قد وصل إلى السويد هذا العام؟',
  'السلام عليكم، ما هي الشروط للقبول في برنامج العلوم الطبيعية؟ شكرا لكم. {name}',
  'أهلاً، هل يوجد في {school} مدرس للغة الأم العربية؟',
  'متى يكون يوم الأبواب المفتوحة وهل نحتاج إلى حجز موعد؟',
  'هل تقدمون وجبات حلال في مطعم المدرسة؟ ابنتي ستبدأ عام {year}.',
  'Hei! Onko koulussanne suomen kielen opetusta äidinkielenä?',
  'Hei, muutamme Ruotsiin kesällä. Voiko poikamme hakea vielä teille? Terveisin {name}',
  'Moi! Kuinka monta opiskelijaa luokalla on ja milloin on avoimet ovet?',
  'Waan ku salaamay, wiilkaygu ma iska qori karaa dugsigiinna sanadka {year}?',
  'Dzień dobry, czy córka może dołączyć w połowie roku szkolnego? Pozdrawiam, {name}',
] as const
