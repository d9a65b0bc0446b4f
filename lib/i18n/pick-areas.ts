import type { Messages } from './load-messages'

/** The messages a part of the app needs in the browser; the rest stays on the server. */
export function pickAreas(messages: Messages, areas: readonly (keyof Messages)[]): Partial<Messages> {
  return Object.fromEntries(areas.map((area) => [area, messages[area]]))
}
