/** `GET /api/people`: who can be assigned leads, for everyone who may triage; nobody's e-mail or role. */
export type PeopleAnswer = { people: { id: string; name: string }[] }
