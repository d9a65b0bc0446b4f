import { useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useDayAndTime } from '@/components/browser/clock'
import { requestSignOut } from '@/components/browser/unsaved-work'
import { useSave } from '@/components/desk/save'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { TitledSection } from '@/components/ui/headings'
import { OutdatedBanner } from '@/components/ui/notice'
import { api, apiQuery } from '@/lib/api/call'
import type { SessionsAnswer } from '@/lib/contract/account'
import type { Role } from '@/lib/contract/user'
import { AccountList, AccountRow } from './account-rows'

/** As `server/access/sessions.ts` has it. */
const IDLE_HOURS: Readonly<Record<Role, number>> = { staff: 8, manager: 8, admin: 1 }

export function SessionsSection({ role, initial }: { role: Role; initial: SessionsAnswer }) {
  const t = useTranslations('account.sessions')
  const when = useDayAndTime()
  const query = { ...apiQuery('GET /api/account/sessions'), refetchOnWindowFocus: true, initialData: initial }
  const { data, isError } = useQuery(query)
  const { save, busy } = useSave({
    send: (end: () => Promise<string>) => end(),
    done: (text) => text,
    refresh: 'GET /api/account/sessions',
  })
  const endOne = async (id: string, device: string) => {
    await api('DELETE /api/account/sessions/[id]', { params: { id } })
    return t('ended', { device })
  }
  const endOthers = async () =>
    t('othersEnded', { count: (await api('DELETE /api/account/sessions', { query: { keep: 'current' } })).ended })
  return (
    <TitledSection id="sessions" title={t('title')} hint={t('hint', { hours: IDLE_HOURS[role] })}>
      {isError && <OutdatedBanner />}
      <AccountList>
        {data.sessions.map(({ id, device, method, address, createdAt, lastUsedAt, current }) => {
          const name = device === '?' ? t('unknownDevice') : device
          const facts = [
            t('since', { when: when(createdAt), how: t(`method.${method}`) }),
            address,
            t('lastUsed', { when: when(lastUsedAt) }),
          ]
          return (
            <AccountRow
              key={id}
              icon={/Android|iOS/.test(device) ? Smartphone : Monitor}
              title={
                <p className="flex flex-wrap items-center gap-x-2">
                  <span className="font-medium">{name}</span>
                  {current && <Badge>{t('current')}</Badge>}
                </p>
              }
              facts={facts.join(' · ')}
              action={
                <Button
                  text={t('end')}
                  size="sm"
                  disabled={busy}
                  onClick={() => (current ? requestSignOut() : save(() => endOne(id, name)))}
                  aria-label={t('endNamed', { device: name })}
                />
              }
            />
          )
        })}
      </AccountList>
      {data.sessions.some(({ current }) => !current) && (
        <Button text={t('endOthers')} className="mt-3" disabled={busy} onClick={() => save(endOthers)} />
      )}
    </TitledSection>
  )
}
