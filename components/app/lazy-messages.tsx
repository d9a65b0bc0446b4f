import { useQuery } from '@tanstack/react-query'
import { useLocale } from 'next-intl'
import type { ComponentType } from 'react'
import type { Messages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import type { MessageAreas } from './client-messages'
import { MoreMessages } from './messages-provider'

const loadedMessages: Record<Locale, Partial<Messages>> = { sv: {}, en: {} }

/** Wraps a component that needs the messages of these areas: it renders once they are loaded, never on the server. */
export function withMessages<Props extends object>(Part: ComponentType<Props>, areas: MessageAreas) {
  return function WithMessages(props: Props) {
    const locale = useLocale()
    const { data } = useQuery({
      queryKey: ['messages', locale, ...areas],
      queryFn: () => loadMessages(areas, locale),
      initialData: () => (areas.every((area) => area in loadedMessages[locale]) ? loadedMessages[locale] : undefined),
      staleTime: Infinity,
    })
    if (data === undefined) return null
    return (
      <MoreMessages messages={data}>
        <Part {...props} />
      </MoreMessages>
    )
  }
}

/** Loads messages, in the page's language by default. Each area is a file that the first screen does not load. */
export async function loadMessages(areas: MessageAreas, locale = document.documentElement.lang as Locale) {
  const load = async (area: keyof Messages) => {
    const file = area.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const { default: messages } = await import(`@/lib/i18n/messages/${locale}/${file}.json`)
    loadedMessages[locale] = { ...loadedMessages[locale], [area]: messages }
  }
  await Promise.all(areas.map(load))
  return loadedMessages[locale]
}
