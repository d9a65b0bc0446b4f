'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { singleValues, useUrlState } from '@/components/browser/url-state'
import { LogTabs } from '@/components/reading/follow-up'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { inputClass, Select } from '@/components/ui/field'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { PageHeader } from '@/components/ui/page-header'
import { api, keyOf } from '@/lib/api/call'
import { ACTIVITY_ACTIONS } from '@/lib/contract/activity-actions'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { User } from '@/lib/contract/user'
import { ActivityEntries } from './activity-entries'

const PAGE_SIZE = 50

export function ActivityScreen({ users }: { users: readonly User[] }) {
  const t = useTranslations('activity')
  const [params, setParams] = useActivityParams()
  const query = {
    user: params.user ?? undefined,
    kind: params.kind ?? undefined,
    id: params.id ?? undefined,
    action: params.action ?? undefined,
  }
  const found = useInfiniteQuery({
    queryKey: keyOf('GET /api/activity', { query }),
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/activity', { query: { ...query, before: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
    refetchOnWindowFocus: false,
  })
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={`${t('lead')} ${t('times')}`} />
      <LogTabs here="log" />
      <ActivityFilters key={JSON.stringify(params)} params={params} users={users} onSearch={setParams} />
      {found.isError && <LoadFailure onRetry={() => void found.refetch()}>{t('failed')}</LoadFailure>}
      {found.isPending && <Skeleton className="h-40 w-full" />}
      {found.isSuccess && entries.length === 0 && (
        <EmptyState icon={<ScrollText />} title={t('empty')}>
          {t('emptyHint')}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <>
          <ActivityEntries entries={entries} users={users} onSearch={(next) => setParams({ ...NO_FILTER, ...next })} />
          {found.hasNextPage ? (
            <Button className="self-center" busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              {t(found.isFetchingNextPage ? 'loadingOlder' : 'older')}
            </Button>
          ) : (
            <p className="text-center text-xs text-mute">{t('end')}</p>
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
    user: search.get('user'),
    kind: LEAD_KINDS.find((kind) => kind === search.get('kind')) ?? null,
    id: search.get('id'),
    action: search.get('action'),
  }
  const change = (next: Partial<Record<keyof typeof NO_FILTER, string | null>>) => write(singleValues(next), 'push')
  return [params, change] as const
}

type Params = ReturnType<typeof useActivityParams>
type FiltersProps = { params: Params[0]; users: readonly User[]; onSearch: Params[1] }

/** The form above the log: a choice counts at once, an id when it is sent. */
function ActivityFilters({ params, users, onSearch }: FiltersProps) {
  const t = useTranslations('activity')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSearch({ id: String(new FormData(event.currentTarget).get('id')).trim() || null })
  }
  const isFiltered = Object.values(params).some((value) => value !== null)
  const choices = {
    user: { any: t('anyUser'), options: users.map(({ id, name, email }) => [id, `${name} (${email})`] as const) },
    action: { any: t('anyAction'), options: ACTIVITY_ACTIONS.map((action) => [action, t(`name.${action}`)] as const) },
    kind: { any: t('anyKind'), options: LEAD_KINDS.map((kind) => [kind, t(`kindOf.${kind}`)] as const) },
  }
  return (
    <form onSubmit={submit} className="grid grid-cols-2 items-end gap-3 desk:grid-cols-[1fr_1fr_11rem_1.2fr_auto]">
      {(['user', 'action', 'kind'] as const).map((name) => (
        <Choice
          key={name}
          label={t(name)}
          value={params[name]}
          {...choices[name]}
          onChoose={(value) => onSearch({ [name]: value })}
        />
      ))}
      <label className={labelClass}>
        {t('leadId')}
        <input
          name="id"
          defaultValue={params.id ?? ''}
          placeholder={t('leadIdHint')}
          autoComplete="off"
          spellCheck={false}
          className={`${inputClass} font-normal`}
        />
      </label>
      <span className="flex gap-2">
        <Button type="submit" className="min-h-9">
          {t('search')}
        </Button>
        <Button variant="ghost" className="min-h-9" disabled={!isFiltered} onClick={() => onSearch(NO_FILTER)}>
          {t('clear')}
        </Button>
      </span>
    </form>
  )
}

const labelClass = 'flex min-w-0 flex-col gap-1.5 text-sm font-medium'

type ChoiceProps = {
  label: string
  value: string | null
  any: string
  options: readonly (readonly [value: string, text: string])[]
  onChoose: (value: string | null) => void
}

function Choice({ label, value, any, options, onChoose }: ChoiceProps) {
  return (
    <label className={labelClass}>
      {label}
      <Select value={value ?? ''} onChange={({ target }) => onChoose(target.value || null)} className="font-normal">
        <option value="">{any}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </label>
  )
}
