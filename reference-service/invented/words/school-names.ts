import { words } from './names'

/** Invented schools; the first ones make the smaller tiers, so they hold å, ä and ö. */
const firstSchoolNames = [
  'Norra Gymnasiet',
  'Södra Gymnasiet',
  'Ängslyckans gymnasium',
  'Östra Kajens gymnasium',
  'Björkängens praktiska gymnasium',
  'Åbacka gymnasium',
  'Tallmogymnasiet',
  'Lärkbackens gymnasium',
  'Västra Brons gymnasium',
  'Teknikgymnasiet Kugghjulet',
  'Älvstrandsgymnasiet',
  'Musikgymnasiet Stämgaffeln',
  'Kvarnforsskolan',
  'Idrottsgymnasiet Målsnöret',
  'Stjärnhovs gymnasium',
  'Natur och Lantbruk Råglanda',
  'Fyrtornets gymnasium',
  'Café & Kök – Smedjans gymnasium',
]

const places = words(`
  Almdalen Björnsund Dalby_Äng Ekhagen Fagerlid Granåsa Hammarlund Islinge Järnbro Kärrtorpa Lindvik Mossebäck Näsudden
  Orrviken Pilängen Ringsjöås Sjöhamra Torpskog Uvberga Vintermo Ytterlida Åsmark Älgsund Örnklinta Brännhult Djupvik
  Enmossen Furuborg Gläntan Högsäter Illersta Klockarvik Ljungbygd`)

/** How a school is called after its place. */
const forms: readonly ((place: string) => string)[] = [
  (place) => `${place}s gymnasium`,
  (place) => `Praktiska skolan i ${place}`,
  (place) => `${place} Teknik & Design`,
  (place) => `Fria Gymnasiet ${place}`,
]

/** As many different names as asked for, always the same ones in the same order. */
export function schoolNames(count: number): string[] {
  const more = forms.flatMap((form) => places.map(form))
  const names = [...firstSchoolNames, ...more].slice(0, count)
  if (names.length < count) throw new RangeError(`only ${names.length} school names for ${count} schools`)
  return names
}
