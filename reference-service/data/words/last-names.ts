export type Origin =
  | 'swedish'
  | 'arabic'
  | 'somali'
  | 'balkan'
  | 'finnish'
  | 'persian'
  | 'turkish'
  | 'polish'
  | 'eritrean'
  | 'asian'

/** How many of a hundred people in a Swedish school have names of each group; invented, but of the right size. */
export const originWeights: readonly [Origin, number][] = [
  ['swedish', 71],
  ['arabic', 9],
  ['somali', 4],
  ['balkan', 5],
  ['finnish', 2],
  ['persian', 3],
  ['turkish', 1.5],
  ['polish', 1.5],
  ['eritrean', 1.5],
  ['asian', 1.5],
]

/** In each group the most frequent come first; `_` stands for a space within a name. */
export const lastNames: Record<Origin, readonly string[]> = {
  swedish: words(`
    Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Pettersson Jonsson Jansson
    Hansson Bengtsson Jönsson Lindberg Jakobsson Magnusson Lindström Olofsson Lindqvist Lindgren Berg Axelsson Bergström
    Lundberg Lind Lundgren Lundqvist Mattsson Berglund Fredriksson Sandberg Henriksson Forsberg Mattisson Lindholm Sjöberg
    Wallin Engström Eklund Danielsson Lundin Håkansson Björk Bergman Gunnarsson Wikström Holm Samuelsson Isaksson Fransson
    Bergqvist Nyström Holmberg Arvidsson Löfgren Söderberg Nyberg Blomqvist Claesson Nordström Mårtensson Lundström
    Viklund Björklund Eliasson Berggren Sandström Lund Nordin Ström Åberg Hermansson Ekström Falk Holmgren Hellström Dahlberg
    Hedlund Sundberg Sjögren Ek Blom Abrahamsson Martinsson Öberg Andreasson Strömberg Månsson Åkesson Hansen Norberg Åström
    Dahl Lindahl Jonasson Sundström Ivarsson Göransson Nyman Palm Ågren Ahlström Östlund Öhman Ärlebrandt Hägg Bäckström
    Fors Svärd Åhs Örn Modig Rask Frisk Stål Alm Gran Rönn Hassel Linnér Lindén Norén Hedén Wallén Sahlén Åkerlund Tegnér
    Lindström-Hagen Ek-Nilsson Berg-Öman Åberg-Lind Sjö-Dahlin Nyström-Ruiz von_Essenberg af_Sandås de_Lindegård
    von_Bråviken Lagerlund Gyllenäng Silfverklo Rosenkvist Ehrenlund Stjernås Hjelmberg Adlerqvist`),
  arabic: words(`
    Ali Mohammed Hassan Ahmed Ibrahim Hussein Khalil Al-Masri Saleh Haddad Al-Hassan Mahmoud Abbas Khoury Said Nasser
    Al-Jaziri Darwish Mansour Aziz Hamdan Issa Al-Rashid Younes Kanaan Zidan Taha El-Amrani Ben_Salah`),
  somali: words(
    `Mohamed Abdi Hassan Farah Warsame Jama Osman Abdullahi Aden Yusuf Nur Hersi Isse Dirie Abshir Gedi Roble`,
  ),
  balkan: words(`
    Hadžić Kovačević Begić Petrović Jovanović Halilović Marković Delić Krasniqi Gashi Berisha Hodžić Nikolić Ibrahimović
    Mehmedović Đorđević Babić Shala Osmani Softić`),
  finnish: words(
    `Korhonen Virtanen Mäkinen Nieminen Hämäläinen Koskinen Järvinen Lehtonen Heikkilä Niemi Rautio Yliniemi`,
  ),
  persian: words(
    `Ahmadi Hosseini Karimi Rezaei Moradi Rostami Jafari Amini Barzani Demirci Saleem Hamidi Shirazi Golzar`,
  ),
  turkish: words(`Yılmaz Kaya Demir Şahin Çelik Yıldız Aydın Öztürk Arslan Doğan Aslan Korkmaz`),
  polish: words(`Nowak Kowalski Wiśniewska Wójcik Kamińska Lewandowski Zieliński Szymańska Woźniak Dąbrowska`),
  eritrean: words(`Tesfay Haile Gebremedhin Tekle Habte Berhane Kidane Mehari Woldu Araya Negash Zerai`),
  asian: words(`Nguyen Tran Le Pham Chen Wang Li Singh Kaur Sharma Santos Reyes Suksai Wongsa Park Dahal`),
}

function words(text: string): string[] {
  return text
    .trim()
    .split(/\s+/)
    .map((name) => name.replaceAll('_', ' '))
}
