import type { ComponentType } from 'react'
import type { Messages } from '@/lib/i18n/load-messages'
import type { MessageAreas } from './client-messages'
import { MoreMessages } from './messages-provider'

/** Loads messages in the page's language. Each area is a file that the first screen does not load. */
export async function loadMessages(areas: MessageAreas): Promise<Partial<Messages>> {
  const locale = document.documentElement.lang
  const load = async (area: keyof Messages) => {
    const file = area.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const { default: messages } = await import(`@/lib/i18n/messages/${locale}/${file}.json`)
    return [area, messages]
  }
  return Object.fromEntries(await Promise.all(areas.map(load)))
}

export function withMessages<Props extends object>(Part: ComponentType<Props>, messages: Partial<Messages>) {
  return function WithMessages(props: Props) {
    return (
      <MoreMessages messages={messages}>
        <Part {...props} />
      </MoreMessages>
    )
  }
}
