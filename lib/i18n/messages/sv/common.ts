export const common = {
  appName: 'Intag',
  tagline: 'Frågor och intresseanmälningar på ett ställe',
  close: 'Stäng',
  cancel: 'Avbryt',
  back: 'Tillbaka',
  tryAgain: 'Försök igen',
  loading: 'Hämtar …',
  clear: 'Rensa',
  showPassword: 'Visa lösenordet',
  hidePassword: 'Dölj lösenordet',
  assignedTo: 'Ansvarig: {name}',
  role: {
    staff: 'Antagningspersonal',
    manager: 'Chef',
    admin: 'Administratör',
  },
  status: {
    new: 'Ny',
    'in-progress': 'Pågår',
    handled: 'Hanterad',
    dismissed: 'Avfärdad',
  },
} as const
