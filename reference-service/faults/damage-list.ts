import type { ListFault } from './fault'

type Item = Record<string, unknown>

/** The list with the fault in it; the list given stays as it is. */
export function damageList(list: readonly object[], fault: ListFault): readonly object[] {
  const items: Item[] = list.map((item) => ({ ...item }))
  const [first] = items
  if (!first) return items
  switch (fault.name) {
    case 'orphan-lead':
      return 'highSchoolId' in first ? [orphanOf(first), ...items] : items
    case 'wrong-types':
      return [mapFields(first, wrongType), ...items.slice(1)]
    case 'missing-fields':
      return [{ id: first['id'] }, ...items.slice(1)]
    case 'duplicate-ids':
      return [{ ...first }, ...items]
    case 'empty-list':
      return []
    case 'shrinking-list':
      return items.slice(0, Math.floor(items.length * fault.keep))
    default:
      return fault satisfies never
  }
}

/** A lead, newest of all, whose school is missing from the list of schools. */
function orphanOf(lead: Item): Item {
  const school = {
    highSchoolId: 'a-school-nobody-knows',
    ...('highSchoolName' in lead && { highSchoolName: 'Okända gymnasiet' }),
  }
  return { ...lead, id: `orphan-${String(lead['id'])}`, ...school }
}

function mapFields(item: Item, change: (value: unknown) => unknown): Item {
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [key, key === 'id' ? value : change(value)]))
}

function wrongType(value: unknown): unknown {
  return typeof value === 'string' ? { unexpected: value } : 'unexpected'
}
