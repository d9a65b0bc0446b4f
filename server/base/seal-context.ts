import 'server-only'

/** What each text is sealed with besides the key, so that it cannot be opened in another row. */
export const sealContext = {
  note: (id: string) => `notes ${id}`,
  savedView: (id: string) => `saved-views ${id}`,
  export: (id: string) => `exports ${id}`,
  setting: (name: string) => `settings ${name}`,
  idToken: (sessionId: string) => `sessions ${sessionId}`,
  secondFactor: (id: string) => `second-factors ${id}`,
  protectedPerson: (id: string) => `protected-persons ${id}`,
  ownTemplate: (id: string) => `reply-templates ${id}`,
}
