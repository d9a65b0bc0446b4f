'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keepPreference, preference } from '@/lib/api/preferences'
import type { LeadList } from '@/lib/contract/lead'
import type { ExportChoice } from '@/lib/contract/preferences'
import { columnsOfList, defaultColumns } from '@/lib/export/export-columns'

export type ChoiceState = {
  /** Null until it is known what the person chose last time. */
  choice: ExportChoice | null
  change: (part: Partial<ExportChoice>) => void
  /** Remembers the choice for the next time; the export goes on whether that works or not. */
  keep: () => void
}

/** Format and columns of a list: as chosen last time, else what most people need. */
export function useExportChoice(list: LeadList): ChoiceState {
  const name = `export.${list}` as const
  const client = useQueryClient()
  const { data, isPending } = useQuery(preference(name))
  const [changes, setChanges] = useState<Partial<ExportChoice>>({})
  const choice = isPending ? null : { ...offered(list), ...withoutForeign(list, data), ...changes }
  return {
    choice,
    change: (part) => setChanges((others) => ({ ...others, ...part })),
    keep: () => {
      if (choice === null || choice.columns.length === 0) return
      client.setQueryData(preference(name).queryKey, choice)
      keepPreference(name, choice).catch(() => undefined)
    },
  }
}

function offered(list: LeadList): ExportChoice {
  return { columns: defaultColumns(list), format: 'xlsx', delimiter: ';', encoding: 'utf-8-bom' }
}

/** A column that the list no longer has would be empty. */
function withoutForeign(list: LeadList, kept: ExportChoice | null | undefined): Partial<ExportChoice> {
  if (!kept) return {}
  const columns = kept.columns.filter((column) => columnsOfList[list].includes(column))
  return columns.length === 0 ? { ...kept, columns: defaultColumns(list) } : { ...kept, columns }
}
