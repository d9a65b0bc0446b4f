'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { singleValues, useUrlState } from '@/components/browser/url-state'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { SelectField, TextField } from '@/components/ui/field'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { PageHeader } from '@/components/ui/headings'
import { api, keyOf } from '@/lib/api/call'
import { ACTIVITY_ACTIONS } from '@/lib/contract/activity-actions'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { User } from '@/lib/contract/user'
import { ActivityEntries } from './activity-entries'

const PAGE_SIZE = 50

export function ActivityScreen({ users }: { users: readonly User[] }) {
  const t = useTranslations('activity')
  const [params, setParams] = useActivityParams()
  const found = useInfiniteQuery({
    queryKey: keyOf('GET /api/activity', { query: params }),
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/activity', { query: { ...params, before: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
    refetchOnWindowFocus: false,
  })
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={`${t('lead')} ${t('times')}`} />
      <ActivityFilters key={JSON.stringify(params)} params={params} users={users} onSearch={setParams} />
      {found.isError && <LoadFailure onRetry={found.refetch} />}
      {found.isPending && <Skeleton className="h-40 w-full" />}
      {found.isSuccess && entries.length === 0 && (
        <EmptyState icon={<ScrollText />} title={t('empty')} hint={t('emptyHint')} />
      )}
      {entries.length > 0 && (
        <>
          <ActivityEntries entries={entries} users={users} onSearch={(next) => setParams({ ...NO_FILTER, ...next })} />
          {found.hasNextPage && (
            <Button
              text={t('older')}
              className="self-center"
              busy={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            />
          )}
        </>
      )}
    </div>
  )
}

const NO_FILTER = { user: null, kind: null, id: null, action: null }

/** What is looked for, in the address: ids only, so that it can be passed on. */
function useActivityParams() {
  const { search, write } = useUrlState()
  const params = {
    user: search.get('user') ?? undefined,
    kind: LEAD_KINDS.find((kind) => kind === search.get('kind')),
    id: search.get('id') ?? undefined,
    action: search.get('action') ?? undefined,
  }
  const change = (next: Partial<Record<keyof typeof NO_FILTER, string | null>>) => write(singleValues(next), 'push')
  return [params, change] as const
}

type Params = ReturnType<typeof useActivityParams>
type FiltersProps = { params: Params[0]; users: readonly User[]; onSearch: Params[1] }

function ActivityFilters({ params, users, onSearch }: FiltersProps) {
  const t = useTranslations('activity')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSearch({ id: String(new FormData(event.currentTarget).get('id')).trim() || null })
  }
  const isFiltered = Object.values(params).some((value) => value !== undefined)
  const names = useTranslations('activity.name')
  type Options = [value: string, text: string][]
  const options: Record<'user' | 'action' | 'kind', Options> = {
    user: [['', t('anyUser')], ...users.map(({ id, name, email }): Options[0] => [id, `${name} (${email})`])],
    action: [['', t('anyAction')], ...ACTIVITY_ACTIONS.map((action): Options[0] => [action, names(action)])],
    kind: [['', t('anyKind')], ...LEAD_KINDS.map((kind): Options[0] => [kind, t(`kindOf.${kind}`)])],
  }
  return (
    <form onSubmit={submit} className="grid grid-cols-2 items-end gap-3 desk:grid-cols-[1fr_1fr_11rem_1.2fr_auto]">
      {(['user', 'action', 'kind'] as const).map((name) => (
        <SelectField
          key={name}
          label={t(name)}
          value={params[name] ?? ''}
          options={options[name]}
          onChoose={(value) => onSearch({ [name]: value || null })}
        />
      ))}
      <TextField
        label={t('leadId')}
        name="id"
        defaultValue={params.id ?? ''}
        placeholder={t('leadIdHint')}
        autoComplete="off"
        spellCheck={false}
      />
      <span className="flex gap-2">
        <Button text={t('search')} type="submit" className="min-h-9" />
        <Button
          text={t('clear')}
          variant="ghost"
          className="min-h-9"
          disabled={!isFiltered}
          onClick={() => onSearch(NO_FILTER)}
        />
      </span>
    </form>
  )
}
