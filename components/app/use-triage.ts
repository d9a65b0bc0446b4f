import { type QueryClient, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useMemo } from 'react'
import { useIsLive } from './live'
import { toast } from '@/components/ui/toast'
import { useCurrentUser } from './current-user'
import { contactQuery, dayQuery, listCounts } from '@/lib/api/queries'
import type { Asked } from '@/lib/api/send'
import type { Contact, LeadList } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import { kindOf } from '@/lib/inbox/lead-text'
import {
  type ChangeState,
  foldContact,
  NO_CHANGES,
  OWN_CHANGE,
  type OwnChanges,
  ownChanges,
} from '@/lib/inbox/own-changes'
import type { createTriage } from './triage'
import { undoableChanges } from './undoable-changes'

const triageCode = () => import('./triage')
/** What is shown can be decided about, also if the network goes the moment after. */
export const loadTriage = () => Promise.all([triageCode(), import('@/lib/inbox/own-numbers')])

type Triage = ReturnType<typeof createTriage>

/** Decides about leads: at once on screen, then on the server in order. Its code comes after the first screen. */
export function useTriage() {
  const t = useTranslations()
  const locale = useLocale()
  const client = useQueryClient()
  return useMemo(() => {
    const withCode = async <Result>(run: (triage: Triage) => Result, onMissing?: () => void) => {
      const code = await triageCode().catch(() => null)
      if (code !== null) return run(code.createTriage(client, t, locale))
      toast(t('trouble.cannotDecide'), { tone: 'error', topic: 'triage' })
      onMissing?.()
      return undefined
    }
    return {
      change: (...[leads, decision, options]: Parameters<Triage['change']>): void =>
        void withCode(
          (triage) => triage.change(leads, decision, options),
          () => options?.onUndone?.(options.from ? [options.from] : leads),
        ),
      changeMatching: async (...change: Parameters<Triage['changeMatching']>): Promise<boolean> =>
        (await withCode((triage) => triage.changeMatching(...change))) ?? false,
      note: (...[attempted, onUndone]: Parameters<Triage['note']>): void =>
        void withCode(
          (triage) => triage.note(attempted, onUndone),
          () => {
            attempted.onTakenBack?.()
            onUndone?.([{ kind: kindOf(attempted.item), id: attempted.item.id }])
          },
        ),
      mail: (...mail: Parameters<Triage['mail']>) => {
        const shown = withCode((triage) => triage.mail(...mail))
        return {
          takeBack: () => void shown.then((change) => change?.takeBack()),
          send: async <Answer>(run: () => Promise<Answer>): Promise<Answer> => {
            const change = await shown
            return change === undefined ? run() : change.send(run)
          },
        }
      },
      undo: (...undo: Parameters<Triage['undo']>): void => void withCode((triage) => triage.undo(...undo)),
      /** Answers later whether nothing that was decided after now is there to take back. */
      mark: () => {
        const before = new Set(undoableChanges(client))
        return () => undoableChanges(client).every((step) => before.has(step))
      },
    }
  }, [client, t, locale])
}

/** Sends the changes that were kept when this tab was loaded again. */
export function useSendUnsent(): void {
  const t = useTranslations()
  const locale = useLocale()
  const client = useQueryClient()
  const owner = useCurrentUser()?.id ?? ''
  useEffect(() => {
    let stop = () => {}
    let isGone = false
    const start = async () => {
      const [{ keepChanges }, { createTriage: prepare }] = await Promise.all([import('./unsaved'), triageCode()])
      if (isGone) return
      prepare(client, t, locale)
      stop = keepChanges(client, owner, window)
    }
    start().catch(() => {})
    return () => {
      isGone = true
      stop()
    }
  }, [client, t, locale, owner])
}

/** What lies over every answer about leads before it is shown. */
export function useOwnChanges(): OwnChanges {
  const states = useMutationState({
    filters: { mutationKey: OWN_CHANGE },
    select: ({ state: { status, variables, data } }) => ({ status, variables, data }) as ChangeState,
  })
  return useMemo(() => ownChanges(states), [states])
}

/** The same outside of rendering. */
export function readOwnChanges(client: QueryClient): OwnChanges {
  const changes = client.getMutationCache().findAll({ mutationKey: OWN_CHANGE })
  return ownChanges(changes.map(({ state }) => state as ChangeState))
}

type ContactOptions = { initialData?: Contact & Asked; enabled?: boolean }

export function useContact(id: string, options: ContactOptions = {}) {
  const own = useOwnChanges()
  const { data, error, isLoading, refetch } = useQuery({ ...contactQuery(id), ...options })
  const contact = useMemo(() => data && foldContact(own, data), [own, data])
  return { data: contact, error, isLoading, refetch }
}

/** Moves the user's leads between the numbers of an answer; until a first change there is none to move. */
function useOwnNumbers(own: OwnChanges) {
  const queryFn = () => import('@/lib/inbox/own-numbers')
  const isWanted = own !== NO_CHANGES
  return useQuery({ queryKey: NUMBERS, queryFn, enabled: isWanted, staleTime: Infinity, structuralSharing: false }).data
}

const NUMBERS = ['code', 'own-numbers']

export function useListCounts(list: LeadList, filter: LeadFilter, isEnabled = true): ListCounts | undefined {
  const own = useOwnChanges()
  const numbers = useOwnNumbers(own)
  const { data } = useQuery({ ...listCounts(list, filter), enabled: isEnabled })
  const key = JSON.stringify(filter)
  return useMemo(() => {
    const counted = { kind: LISTS[list].kind, filter: JSON.parse(key) as LeadFilter }
    return data && numbers ? numbers.foldCounts(own, data, counted) : data
  }, [own, numbers, data, list, key])
}

export function useDay(schools: readonly string[]) {
  const own = useOwnChanges()
  const numbers = useOwnNumbers(own)
  const me = useCurrentUser()?.id ?? null
  const { data, error, refetch } = useQuery(dayQuery(schools, useIsLive()))
  const day = useMemo(
    () => (data && numbers ? numbers.foldDay(own, data, { schools, me }) : data),
    [own, numbers, data, schools, me],
  )
  return { data: day, error, refetch }
}
