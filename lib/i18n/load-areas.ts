import type { Messages } from './load-messages'

/** Loads messages in the page's language. Each area is a file, which the first screen does without. */
export async function loadAreas(areas: readonly (keyof Messages)[]): Promise<Partial<Messages>> {
  const locale = document.documentElement.lang
  const load = async (area: keyof Messages) => {
    const file = area.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const { default: messages } = await import(`@/lib/i18n/messages/${locale}/${file}.json`)
    return [area, messages]
  }
  return Object.fromEntries(await Promise.all(areas.map(load)))
}
