import type { ExportWords } from '@/lib/export/export-cells'

/** Words as a file has them, for tests and measurements. */
export const WORDS: ExportWords = {
  column: {
    createdAt: 'Inkom',
    school: 'Skola',
    firstName: 'Förnamn',
    lastName: 'Efternamn',
    sender: 'Avsändare',
    email: 'E-post',
    phone: 'Telefon',
    year: 'Startår',
    mode: 'Vill ha svar via',
    question: 'Fråga',
    status: 'Status',
    assignee: 'Ansvarig',
    answeredAt: 'Besvarad',
    answeredBy: 'Besvarad av',
    attempts: 'Kontaktförsök',
    id: 'Id',
    highSchoolId: 'Skolans id',
  },
  status: { new: 'Ny', 'in-progress': 'Pågår', handled: 'Hanterad', dismissed: 'Inte aktuell' },
  mode: (mode) => (mode === 'email' ? 'E-post' : mode === 'phone' ? 'Telefon' : mode),
  card: 'Intresseanmälan',
  sheet: 'Intresseanmälningar',
  nameless: 'Namn saknas',
  starts: (year) => `Startår ${year}`,
  cut: ' … [avkortat]',
}
