export const views = {
  save: 'Spara som vy',
  saveIt: 'Spara',
  name: 'Namn',
  share: 'Dela med alla',
  shareHint: 'Alla ser vyn, var och en med sina egna skolors ärenden.',
  sharedSearch: 'Sökningen ”{text}” följer med och syns för alla.',
  saved: 'Vyn {name} är sparad',
  failed: 'Vyn kunde inte sparas. Försök igen.',
} as const
