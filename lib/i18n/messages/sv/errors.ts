export const errors = {
  title: 'Något gick fel',
  body: 'Felet ligger hos oss. Försök igen om en stund.',
  reference: 'Hänvisa till {digest} om du kontaktar din administratör.',
  notFoundTitle: 'Sidan finns inte',
  notFoundBody: 'Länken kan vara gammal eller felskriven.',
  noAccessTitle: 'Du har inte tillgång till den här sidan',
  noAccessBody: 'Din roll är {role}. Be en administratör om du behöver mer.',
  tryAgain: 'Försök igen',
  toStart: 'Till startsidan',
} as const
