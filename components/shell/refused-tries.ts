import { createTranslator } from 'next-intl'
import { toast } from '@/components/ui/toast'
import type { RefusedTries } from '@/lib/contract/refused-tries'
import { lazyMessages } from '@/lib/i18n/lazy-messages'
import type { Locale } from '@/lib/i18n/locale'
import { request } from '@/lib/api/send'
import { shape } from '@/lib/api/shape'
import { fullTime } from '@/lib/time/format-date'

const SEEN = 'intag:refused-tries-seen'

/** Says how often somebody else was refused in this person's name since they came last, until they have seen it. */
export async function tellRefusedTries(locale: Locale): Promise<void> {
  const read = shape<RefusedTries>({ count: 'number' })
  const { count, lastAt } = await request('/api/account/refused-tries', { read })
  if (lastAt === null || count === 0 || lastAt === localStorage.getItem(SEEN)) return
  const { refusedTries: words } = await lazyMessages(locale, 'refusedTries')
  if (words === undefined) return
  const t = createTranslator({ locale, messages: { words }, namespace: 'words' })
  const onClick = () => localStorage.setItem(SEEN, lastAt)
  const time = fullTime(Date.parse(lastAt), locale)
  toast(t('told', { count, time }), { stays: true, action: { label: t('seen'), onClick } })
}
