'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { useId } from 'react'
import { useCommands } from '@/components/desk/commands'
import { useCurrentUser } from '@/components/desk/current-user'
import { useTriage } from '@/components/triage/use-triage'
import { Button } from '@/components/ui/button'
import { RowsTable } from '@/components/ui/data-table'
import { ConfirmDialog } from '@/components/ui/dialog'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { toast } from '@/components/ui/toast'
import { api, apiQuery } from '@/lib/api/call'
import type { Load, LoadMoves, LoadNumbers } from '@/lib/contract/triage'
import { replyMarks } from '@/lib/inbox/reply-marks'

const EVERY_MS = 60_000
const loadQuery = { ...apiQuery('GET /api/load'), refetchInterval: EVERY_MS }

/** What waits now, by school and by person, and one press to even it out. For who may assign leads. */
export function LoadSection() {
  const t = useTranslations('interest.load')
  const id = useId()
  const { data, isError, refetch } = useQuery(loadQuery)
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-panel p-4 print:hidden">
      <header className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={id} className="flex-1 text-sm font-semibold desk:flex-none">
          {t('title')}
        </h2>
        <p className="order-last w-full text-xs text-faint desk:order-none desk:w-auto desk:flex-1">{t('note')}</p>
        {data !== undefined && data.people.length > 1 && <EvenOut />}
      </header>
      {data !== undefined ? (
        <Tables load={data} />
      ) : isError ? (
        <LoadFailure text={t('failed')} onRetry={refetch} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </section>
  )
}

type LoadRow = LoadNumbers & { id: string; name: string }

function Tables({ load: { schools, people, unassigned } }: { load: Load }) {
  const t = useTranslations('interest.load')
  const persons = people.map(({ awayUntil, ...person }) =>
    awayUntil ? { ...person, name: t('away', { name: person.name }) } : person,
  )
  return (
    <div className="grid items-start gap-x-6 gap-y-2 desk:grid-cols-2">
      <LoadTable title={t('bySchool')} rows={schools} />
      <LoadTable title={t('byPerson')} rows={[{ id: '', name: t('unassigned'), ...unassigned }, ...persons]} />
    </div>
  )
}

function LoadTable({ title, rows }: { title: string; rows: readonly LoadRow[] }) {
  const t = useTranslations('interest.load')
  const format = useFormatter()
  const sorted = rows.toSorted((a, b) => b.waiting - a.waiting)
  const share = (count: number) => ({ width: `${(100 * count) / Math.max(1, sorted[0]?.waiting ?? 0)}%` })
  const cell = ({ name, waiting, late }: LoadRow) => (
    <>
      {name}
      <span aria-hidden className="mt-1 flex h-1 overflow-hidden rounded-full">
        <span className="bg-late" style={share(late)} />
        <span className="bg-accent" style={share(waiting - late)} />
      </span>
    </>
  )
  return (
    <RowsTable
      caption={title}
      rows={sorted}
      keyOf={({ id }) => id}
      columns={[
        { name: title, className: 'w-full', cell },
        { name: t('waiting'), isNumber: true, cell: ({ waiting }) => format.number(waiting) },
        {
          name: t('late'),
          isNumber: true,
          cell: ({ late }) => <span className={late > 0 ? 'font-semibold text-late' : 'text-faint'}>{late}</span>,
        },
      ]}
    />
  )
}

/** Asks what would move now, says who gets how many, and asks once. */
function EvenOut() {
  const t = useTranslations('interest.load')
  const me = useCurrentUser()?.id ?? ''
  const { assignEach, undo } = useTriage()
  useCommands({ undo: () => void undo() })
  const changesOf = useChanges()
  const planning = useMutation({
    mutationFn: async () => {
      const { moves, ...load } = await api('GET /api/load/moves')
      // An answer half written belongs to whom it was begun by.
      return { ...load, moves: moves.filter((lead) => !replyMarks.has(window.sessionStorage, me, lead)) }
    },
    onSuccess: ({ moves }) => moves.length === 0 && toast(t('isEven')),
    onError: () => toast(t('failed'), { tone: 'error' }),
  })
  const { data: plan, reset } = planning
  const moves = plan?.moves ?? []
  const moving = useMutation({
    mutationFn: () => assignEach(moves, (count) => t('done', { count })),
    onSettled: reset,
  })
  return (
    <>
      {/* Not disabled meanwhile: it would lose the focus that the dialog gives back. */}
      <Button
        icon={Scale}
        text={t('even')}
        size="sm"
        aria-busy={planning.isPending}
        onClick={() => planning.isPending || planning.mutate()}
      />
      {plan !== undefined && moves.length > 0 && (
        <ConfirmDialog
          title={t('ask')}
          text={
            <>
              {t('moves', { count: moves.length, changes: changesOf(plan) })}
              <span className="mt-2 block">{t('stays')}</span>
            </>
          }
          yes={t('yes', { count: moves.length })}
          isPrimary
          busy={moving.isPending}
          onYes={() => moving.mutate()}
          onNo={reset}
        />
      )}
    </>
  )
}

/** `Otilldelade 6 → 0, Anna 20 → 14`; who is not listed is not named. */
function useChanges(): (plan: LoadMoves) => string {
  const t = useTranslations('interest.load')
  const format = useFormatter()
  return ({ people, unassigned, moves }) => {
    const rows = [{ id: null, name: t('unassigned'), ...unassigned }, ...people]
    const changes = rows.flatMap(({ id, name, waiting: before }) => {
      const after = moves.reduce(
        (now, { from, assignee }) => now + Number(assignee === id) - Number(from === id),
        before,
      )
      return after === before ? [] : [t('change', { name, before, after })]
    })
    return format.list(changes, { type: 'unit' })
  }
}
