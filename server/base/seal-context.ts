/** The associated data (AAD) of encrypted columns: table and id, so that no text can be moved to another row. */
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
