import { useLocale, useTranslations } from 'next-intl'
import { DeskLink } from '@/components/desk/go'
import type { LeadRef } from '@/lib/contract/lead'
import type { ContactRights, NamingText } from '@/lib/contract/rights'
import { fullDay } from '@/lib/time/format-date'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'

const KINDS = ['view', 'purpose', 'note'] as const

type NamingTextsProps = { rights: Pick<ContactRights, 'naming' | 'namingMore'>; leads: readonly LeadRef[] }

/** What the staff wrote that names the person of these leads, and what becomes of each; before somebody erases or protects. */
export function NamingTexts({ rights: { naming, namingMore }, leads }: NamingTextsProps) {
  const t = useTranslations('rights.naming')
  const isAmong = (one: LeadRef) => leads.some(({ kind, id }) => kind === one.kind && id === one.id)
  const its = naming.filter((text) => text.leads.some(isAmong))
  const more = namingMore.filter((some) => some.leads.some(isAmong))
  const numberOf = (kind: NamingText['what']) =>
    more.reduce((sum, { what, count }) => sum + (what === kind ? count : 0), 0)
  return (
    <section aria-labelledby="naming">
      <h3 id="naming" className="text-sm font-semibold">
        {t('title')}
      </h3>
      {its.length + more.length === 0 ? (
        <p className="text-sm text-mute">{t('none')}</p>
      ) : (
        <ul className="list-disc pl-5 text-sm text-mute">
          {its.map((text) => (
            <Naming key={`${text.what} ${text.at} ${text.text}`} text={text} />
          ))}
          {KINDS.filter((what) => numberOf(what) > 0).map((what) => (
            <li key={what}>{t('more', { what, count: numberOf(what) })}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Naming({ text: { what, text, by, at, contactId } }: { text: NamingText }) {
  const t = useTranslations('rights.naming')
  const locale = useLocale()
  const when = fullDay(epochDay(stockholmDay(Date.parse(at))), locale)
  const href = what === 'note' && contactId !== null ? `/contacts/${contactId}` : '/admin/activity'
  return (
    <li className="wrap-anywhere">
      {t(what, { text })}{' '}
      {what !== 'view' && (
        <DeskLink href={href} className="text-ink underline">
          {t(what === 'note' ? 'toNote' : 'toLog')}
        </DeskLink>
      )}
      <span className="block text-xs">{t('by', { name: by ?? t('former'), when })}</span>
    </li>
  )
}
