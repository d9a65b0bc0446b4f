import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { createTranslator } from 'next-intl'
import { toast } from '@/components/ui/toast'
import type { RefusedTries } from '@/lib/contract/refused-tries'
import { lazyMessages } from '@/lib/i18n/lazy-messages'
import type { Locale } from '@/lib/i18n/locale'
import { request } from '@/lib/api/send'
import { shape } from '@/lib/api/shape'
import { fullTime } from '@/lib/time/format-date'

const SEEN = 'intag:refused-tries-seen'

const read = shape<RefusedTries>({ count: 'number' })
/** Through the client, for whoever signs out calls off all that is asked. */
const query = queryOptions({
  queryKey: ['account', 'refused-tries'],
  queryFn: ({ signal }) => request('/api/account/refused-tries', { read, signal }),
})

/** Says how often somebody else was refused in this person's name since they came last, until they have seen it. */
export async function tellRefusedTries(client: QueryClient, locale: Locale): Promise<void> {
  const { count, lastAt } = await client.fetchQuery(query)
  if (lastAt === null || count === 0 || lastAt === localStorage.getItem(SEEN)) return
  const { refusedTries: words } = await lazyMessages(locale, 'refusedTries')
  if (words === undefined) return
  const t = createTranslator({ locale, messages: { words }, namespace: 'words' })
  const onClick = () => localStorage.setItem(SEEN, lastAt)
  const time = fullTime(Date.parse(lastAt), locale)
  toast(t('told', { count, time }), { stays: true, action: { label: t('seen'), onClick } })
}
