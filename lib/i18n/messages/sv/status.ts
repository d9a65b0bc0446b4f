export const status = {
  label: 'Hur färska uppgifterna är',
  noData: 'Inga uppgifter än',
  starting: 'Hämtar de första uppgifterna …',
  updated: 'Uppdaterad för {ago} sedan',
  nextIn: 'Nästa om {time}',
  nextNow: 'Uppdaterar nu',
  retryIn: 'Nytt försök om {time}',
  budget: '{spent, number} av {limit, number} anrop den här timmen',
  unreachable: 'Ingen kontakt med Intag. Visar det som hämtades senast.',
  problemSince: '{problem} (sedan {time}).',
  unreadableRecords: '{count, plural, one {# uppgift} other {# uppgifter}} gick inte att läsa',
  problem: {
    unauthenticated: 'Tjänsten godtar inte vår nyckel',
    unauthorized: 'Tjänsten ger oss inte tillträde',
    'rate-limited': 'Tjänsten ber oss vänta',
    unavailable: 'Tjänsten svarar inte',
    unreadable: 'Tjänsten svarar obegripligt',
  },
  /** What happens next; when is said beside it. */
  meanwhile: {
    unauthenticated: 'En administratör behöver byta nyckel. Så länge visas det som hämtades senast.',
    unauthorized: 'En administratör behöver se över nyckeln. Så länge visas det som hämtades senast.',
    'rate-limited': 'Vi väntar och försöker igen. Så länge visas det som hämtades senast.',
    unavailable: 'Vi försöker igen. Så länge visas det som hämtades senast.',
    unreadable: 'Vi försöker igen. Så länge visas det som hämtades senast.',
  },
} as const
