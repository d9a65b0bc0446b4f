import type { DeclarationOfInterest } from '../../specification'

type User = DeclarationOfInterest['user']

/** People whose particulars are hard on software; numbers are of the series kept free for fiction. */
export const quirkDeclarations: readonly User[] = [
  // One person, who writes her address and number in every way, to several schools.
  user('Åsa', 'Öberg', 'asa.oberg@example.se', '+46701740606', 2027),
  user('Åsa', 'Öberg', 'Asa.Oberg@Example.se', '070-174 06 06', 2027),
  user('Åsa', 'Öberg', 'ASA.OBERG@EXAMPLE.SE', '0046701740606', 2027),
  user('Asa', 'Oberg', 'asa.oberg@example.se ', '+46 70 174 06 06', 2027),
  // Siblings with one phone.
  user('Maja', 'Lindström-Hagen', 'maja.lh@example.com', '+46701740605', 2027),
  user('Elias', 'Lindström-Hagen', 'elias.lh@example.com', '+46701740605', 2029),
  // The same name twice, two people.
  user('Erik', 'Andersson', 'erik.andersson@example.org', '+46701740607', 2027),
  user('Erik', 'Andersson', 'erik.andersson.jarnbro@example.org', '+46701740608', 2028),
  // Names.
  user('Anna-Karin', 'von Essen', 'anna-karin.von-essen@example.se', '+46701740609', 2027),
  user('André', 'Éklund Ångström', 'andre.eklund@example.com', '+46701740610', 2027),
  user("D'Arcy", "O'Brien", "d.o'brien@example.com", '+46701740611', 2028),
  user('X', 'Y', 'x@example.org', '+46701740612', 2027),
  user(
    'Wolfeschlegelsteinhausenberger',
    'Gyllenstierna-Silfverschiöld-Oxenhielm',
    'wgso@example.se',
    '+46701740613',
    2027,
  ),
  user('محمد', 'الأحمد', 'm.alahmad@example.com', '+46701740614', 2027),
  // Cells that look like formulas, markup, and separators.
  user('=HYPERLINK("https://example.com";"Klicka")', '@SUM(1+1)', 'formel@example.com', '+46701740615', 2027),
  user('<img src=x onerror=alert(1)>', '<script>alert(1)</script>', 'html@example.com', '+46701740616', 2027),
  user('Semi;kolon', '"Citat", Komma', 'semi+kolon@example.com', '+46701740617', 2027),
  // A number that is none, and years that cannot be.
  user('Sam', 'Exempel', 'sam.exempel@example.com', '+467000000000', 2020),
  user('Viggo', 'Forntid', 'viggo.forntid@example.se', '+46740112233', 1999),
  user('Vera', 'Framtid', 'vera.framtid@example.se', '+46740112244', 9999),
  user('Noll', 'Nollsson', 'noll@example.org', '+46740112255', 0),
]

function user(
  firstName: string,
  lastName: string,
  email: string,
  phone: string,
  highSchoolEnrollmentYear: number,
): User {
  return { firstName, lastName, email, phone, highSchoolEnrollmentYear }
}
