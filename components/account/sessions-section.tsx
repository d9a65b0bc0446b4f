import { useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useDayAndTime } from '@/components/browser/clock'
import { useSave } from '@/components/desk/save'
import { requestSignOut } from '@/components/browser/unsaved-work'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { OutdatedBanner } from '@/components/ui/notice'
import { TitledSection } from '@/components/ui/headings'
import { api, apiQuery } from '@/lib/api/call'
import type { AccountSession, SessionsAnswer } from '@/lib/contract/account'
import type { Role } from '@/lib/contract/user'
import { AccountList, AccountRow } from './account-rows'

/** As `server/access/sessions.ts` has it. */
const IDLE_HOURS: Readonly<Record<Role, number>> = { staff: 8, manager: 8, admin: 1 }

const sessionsQuery = { ...apiQuery('GET /api/account/sessions'), refetchOnWindowFocus: true }

export function SessionsSection({ role, initial }: { role: Role; initial: SessionsAnswer }) {
  const t = useTranslations('account.sessions')
  const { data, isError } = useQuery({ ...sessionsQuery, initialData: initial })
  const { end, endOthers, busy } = useEnding()
  const others = data.sessions.filter(({ current }) => !current)
  return (
    <TitledSection id="sessions" title={t('title')} hint={t('hint', { hours: IDLE_HOURS[role] })}>
      {isError && <OutdatedBanner />}
      <AccountList>
        {data.sessions.map((session) => (
          <SessionRow key={session.id} session={session} isBusy={busy} onEnd={() => end(session)} />
        ))}
      </AccountList>
      {others.length > 0 && <Button text={t('endOthers')} className="mt-3" disabled={busy} onClick={endOthers} />}
    </TitledSection>
  )
}

const endOthers = () => api('DELETE /api/account/sessions', { query: { keep: 'current' } })

function useEnding() {
  const t = useTranslations('account.sessions')
  const some = useSave({
    send: (end: () => Promise<string>) => end(),
    done: (text) => text,
    refresh: 'GET /api/account/sessions',
  })
  const endOne = async ({ id, device }: AccountSession) => {
    await api('DELETE /api/account/sessions/[id]', { params: { id } })
    return t('ended', { device: deviceName(t, device) })
  }
  return {
    busy: some.busy,
    end: (session: AccountSession) => (session.current ? requestSignOut() : some.save(() => endOne(session))),
    endOthers: () => some.save(async () => t('othersEnded', { count: (await endOthers()).ended })),
  }
}

function SessionRow({ session, isBusy, onEnd }: { session: AccountSession; isBusy: boolean; onEnd: () => void }) {
  const t = useTranslations('account.sessions')
  const name = deviceName(t, session.device)
  const when = useDayAndTime()
  const facts = [
    t('since', { when: when(session.createdAt), how: t(`method.${session.method}`) }),
    session.address,
    t('lastUsed', { when: when(session.lastUsedAt) }),
  ]
  return (
    <AccountRow
      icon={/Android|iOS/.test(session.device) ? Smartphone : Monitor}
      title={
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{name}</span>
          {session.current && <Badge>{t('current')}</Badge>}
        </p>
      }
      facts={facts.join(' · ')}
      action={
        <Button
          text={t('end')}
          size="sm"
          disabled={isBusy}
          onClick={onEnd}
          aria-label={t('endNamed', { device: name })}
        />
      }
    />
  )
}

function deviceName(t: (name: 'unknownDevice') => string, device: string): string {
  return device === '?' ? t('unknownDevice') : device
}
