import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useNow } from '@/components/browser/clock'
import { useSignOut } from '@/components/desk/sign-out'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import { api, apiQuery, keyOf } from '@/lib/api/call'
import type { AccountSession, SessionsAnswer } from '@/lib/contract/account'
import type { Role } from '@/lib/contract/user'
import { dayAndTime } from '@/lib/time/format-time'
import { AccountSection } from './account-section'

/** As `server/access/sessions.ts` has it. */
const IDLE_HOURS: Readonly<Record<Role, number>> = { staff: 8, manager: 8, admin: 1 }

const sessionsQuery = { ...apiQuery('GET /api/account/sessions'), refetchOnWindowFocus: true }

/** Where somebody is signed in, and how to end it there. */
export function SessionsSection({ role, first }: { role: Role; first: SessionsAnswer }) {
  const t = useTranslations('account.sessions')
  const { data, isError } = useQuery({ ...sessionsQuery, initialData: first })
  const { end, endOthers, endAll, isPending } = useEnding()
  const others = data.sessions.filter(({ current }) => !current)
  return (
    <AccountSection id="sessions" title={t('title')} hint={t('hint', { hours: IDLE_HOURS[role] })}>
      {isError && (
        <Notice size="banner" role="alert">
          {t('stale')}
        </Notice>
      )}
      <ul className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
        {data.sessions.map((session) => (
          <SessionRow key={session.id} session={session} isBusy={isPending} onEnd={() => end(session)} />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        {others.length > 0 && (
          <Button disabled={isPending} onClick={endOthers}>
            {t('endOthers')}
          </Button>
        )}
        <Button disabled={isPending} onClick={endAll}>
          {t('endAll')}
        </Button>
      </div>
    </AccountSection>
  )
}

const endOthers = () => api('DELETE /api/account/sessions', { query: { keep: 'current' } })

/** Ending one's own session is signing out, wherever else it ends too. */
function useEnding() {
  const t = useTranslations('account.sessions')
  const client = useQueryClient()
  const signOut = useSignOut()
  const deviceName = useDeviceName()
  const refresh = () => client.invalidateQueries({ queryKey: keyOf('GET /api/account/sessions') })
  const onError = () => toast(t('failed'), { tone: 'error' })
  const one = useMutation({
    mutationFn: ({ id }: AccountSession) => api('DELETE /api/account/sessions/[id]', { params: { id } }),
    onSuccess: (_, session) => toast(t('ended', { device: deviceName(session) })),
    onError,
    onSettled: refresh,
  })
  const others = useMutation({
    mutationFn: endOthers,
    onSuccess: ({ ended }) => toast(t('othersEnded', { count: ended })),
    onError,
    onSettled: refresh,
  })
  const all = useMutation({ mutationFn: endOthers, onSuccess: () => signOut(), onError })
  return {
    isPending: one.isPending || others.isPending || all.isPending,
    end: (session: AccountSession) => (session.current ? void signOut() : one.mutate(session)),
    endOthers: () => others.mutate(),
    endAll: () => all.mutate(),
  }
}

type SessionRowProps = { session: AccountSession; isBusy: boolean; onEnd: () => void }

function SessionRow({ session, isBusy, onEnd }: SessionRowProps) {
  const t = useTranslations('account.sessions')
  const name = useDeviceName()(session)
  const locale = useLocale()
  const now = useNow()
  const when = (text: string) => dayAndTime(Date.parse(text), now ?? Date.parse(session.lastUsedAt), locale)
  const Device = /Android|iOS/.test(session.device) ? Smartphone : Monitor
  const facts = [
    t('since', { when: when(session.createdAt), how: t(`method.${session.method}`) }),
    session.address,
    t('lastUsed', { when: when(session.lastUsedAt) }),
  ]
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-1.5 border-b border-line-soft py-2.5 pr-2.5 pl-4 last:border-b-0">
      <Device aria-hidden className="size-5 shrink-0 text-mute" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{name}</span>
          {session.current && <Badge>{t('current')}</Badge>}
        </p>
        <p suppressHydrationWarning className="tabular text-sm text-pretty wrap-anywhere text-mute">
          {facts.join(' · ')}
        </p>
      </div>
      <Button size="sm" disabled={isBusy} onClick={onEnd} aria-label={t('endNamed', { device: name })}>
        {t('end')}
      </Button>
    </li>
  )
}

function useDeviceName(): (session: AccountSession) => string {
  const t = useTranslations('account.sessions')
  return ({ device }) => (device === '?' ? t('unknownDevice') : device)
}
