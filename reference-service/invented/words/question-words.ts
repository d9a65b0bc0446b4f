/** What stands in the braces of questions (`questions.ts`): first the national programmes, as pupils write them. */
export const programmes = [
  'naturvetenskapsprogrammet',
  'samhällsvetenskapsprogrammet',
  'ekonomiprogrammet',
  'teknikprogrammet',
  'estetiska programmet',
  'humanistiska programmet',
  'barn- och fritidsprogrammet',
  'bygg- och anläggningsprogrammet',
  'el- och energiprogrammet',
  'fordons- och transportprogrammet',
  'försäljnings- och serviceprogrammet',
  'frisör- och stylistprogrammet',
  'hotell- och turismprogrammet',
  'industritekniska programmet',
  'naturbruksprogrammet',
  'restaurang- och livsmedelsprogrammet',
  'vvs- och fastighetsprogrammet',
  'vård- och omsorgsprogrammet',
  'natur',
  'samhäll',
  'teknik',
  'ekonomi',
  'barn och fritid',
  'el och energi',
  'vård och omsorg',
] as const

export const subjects = [
  'matte',
  'engelska',
  'svenska',
  'svenska som andraspråk',
  'NO',
  'SO',
  'kemi',
  'fysik',
  'biologi',
] as const

export const languages = [
  'spanska',
  'tyska',
  'franska',
  'kinesiska',
  'finska',
  'arabiska',
  'somaliska',
  'italienska',
] as const

export const sports = [
  'fotboll',
  'ishockey',
  'handboll',
  'innebandy',
  'simning',
  'ridning',
  'friidrott',
  'e-sport',
] as const

export const towns = [
  'Almviken',
  'Björnsund',
  'Ekhagen',
  'Näsudden',
  'Ytterlida',
  'Österåker',
  'Järnbro',
  'Åsmark',
] as const
