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

/** In each group the most frequent come first. */
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

/** In each group the most frequent come first. */
export const firstNames: Record<Origin, readonly string[]> = {
  swedish: words(`
    Alice Hugo Maja Liam Elsa Lucas Vera William Alma Noah Selma Oliver Lilly Elias Ella Adam Astrid August Wilma Ludvig
    Ebba Oscar Freja Alfred Signe Emil Olivia Axel Saga Filip Agnes Viktor Stella Leo Ida Erik Emma Anton Linnéa Isak Tuva
    Gustav Ellen Albin Klara Arvid Julia Theo Molly Edvin Tyra Nils Ingrid Melvin Hedda Gabriel Moa Vincent Nova Love Sara
    Jonathan Hanna Sixten Nellie Josef Isabelle Simon Elin Alexander Felicia Rasmus Amanda Viggo Sigrid Hampus Matilda
    Sebastian Tilde Wilhelm Nora Kevin Leia Ville Meja Max Lova Otto Lovisa Josefin Malte Svea Samuel Märta Olle Rut Frans
    Siri Elton Thea Albert Iris Benjamin Juni Harry Clara Kasper Tilda Linus Livia Charlie Majken Ivar Elvira Sam Alva
    Tage Lykke David Cornelia Folke Greta Jakob Disa Henry Hilma Jack Lo Åke Åsa Örjan Östen Ängla Göran Anna Johan Lars
    Karin Björn Jennifer Joel Nathalie Robin Rebecka Marcus Frida Tim Emelie Måns Sofia Märtha André Zoé René Désirée Noël
    Anna-Karin Carl-Johan Eva-Lena Per-Erik Ann-Sofie Lars-Olof Karl-Axel Maj-Britt Marie-Louise Jan-Åke Bo-Göran`),
  arabic: words(`
    Mohammed Fatima Ali Maryam Omar Aisha Ahmed Zainab Yousef Noor Hassan Hala Ibrahim Layla Karim Rana Mustafa Yasmin
    Khaled Amina Bilal Sara Anas Lina Samir Dina Tariq Huda Rami Nadia Jamal Salma Faisal Iman Zaid Rim Haidar Maha Abdulrahman`),
  somali: words(`
    Abdi Hodan Mohamed Ifrah Abdullahi Sahra Mahad Ayaan Yusuf Hibo Liban Fardowsa Guled Nasra Ismail Ubah Zakaria Khadra
    Abdirahman Sumaya Jama Deqa`),
  balkan: words(`
    Amar Lejla Emir Amina Dino Ajla Haris Selma Nikola Jelena Stefan Milica Luka Ana Adnan Emina Damir Arta Arben Elira
    Besnik Dafina Kujtim Valbona Marko Ivana Željko Mirjana Edin Sanela`),
  finnish: words(
    `Eero Aino Mikko Venla Juhani Helmi Ville Siiri Onni Elina Matti Päivi Jani Riikka Antti Minna Timo Satu`,
  ),
  persian: words(`
    Arman Parisa Kian Shirin Daniel Roya Navid Mina Reza Nazanin Soran Rojin Dilan Berfin Aram Helin Azad Zhina Farhad
    Mahsa Baran Darya Rostam Avin`),
  turkish: words(`Emre Elif Can Zeynep Deniz Defne Mert Ayşe Kerem Melis Yusuf Esra Burak Özlem Onur Gül`),
  polish: words(
    `Jakub Zuzanna Kacper Julia Szymon Maja Michał Wiktoria Łukasz Agnieszka Paweł Małgorzata Oskar Oliwia`,
  ),
  eritrean: words(
    `Yonas Selam Samuel Saba Filmon Feven Natnael Bethlehem Abel Helen Dawit Rahwa Yohannes Miriam Henok Semhar`,
  ),
  asian: words(
    `Linh Minh Anh Duc Thanh Mai Wei Mei Jun Ploy Somchai Nong Rahul Priya Arjun Ananya Angelo Jasmine Kim My`,
  ),
}

/** What people with Swedish names who have children in high school are called. */
export const parentFirstNames = words(`
  Anna Johan Maria Fredrik Karin Andreas Sara Mattias Jenny Daniel Malin Magnus Lena Stefan Åsa Henrik Linda Jonas Helena Peter
  Camilla Anders Susanne Mikael Ulrika Martin Therese Niklas Sofia Tomas Pernilla Patrik Annika Marcus Katarina Jörgen Charlotta
  Christian Cecilia Håkan Petra Robert Monica Rickard Jessica Kristian Marie Björn Eva Göran Annelie Per Ann-Sofie Lars-Olof
  Eva-Lena Per-Erik Maj-Britt Carl-Johan Carina Örjan`)

/** The words of a text; `_` stands for a space within one. */
export function words(text: string): string[] {
  return text
    .trim()
    .split(/\s+/)
    .map((name) => name.replaceAll('_', ' '))
}
