import type { SchoolScope } from '@/lib/contract/user'

/** A lead that waits; fixed where a colleague has begun with it. */
export type HeldLead = { school: string; holder: string | null; isFixed: boolean }
type Person = { id: string; schools: SchoolScope }
/** `own`: by school what may go on, what moves anyway first. */
type Hand<Lead> = Person & { count: number; own: Map<string, Lead[]> }

/** Who takes over which lead, the first of `leads` first, so that nobody who may take another's has fewer by two or more. */
export function evenOut<Lead extends HeldLead>(leads: readonly Lead[], people: readonly Person[]) {
  const hands = people.map((person): Hand<Lead> => ({ ...person, count: 0, own: new Map() }))
  const ableAt = new Map(leads.map(({ school }) => [school, [] as Hand<Lead>[]]))
  for (const [school, able] of ableAt)
    able.push(...hands.filter(({ schools }) => schools === 'all' || schools.includes(school)))
  const places = new Map(leads.map((lead, place) => [lead, place]))
  const homeless: Lead[] = []
  for (const lead of leads) {
    const able = ableAt.get(lead.school) ?? []
    const holder = hands.find(({ id }) => id === lead.holder)
    const isFree = !lead.isFixed && able.length > 0
    if (isFree && !(holder && able.includes(holder))) homeless.push(lead)
    else if (isFree) give(lead, holder)
    else if (holder) holder.count += 1
  }
  for (const lead of homeless) give(lead, emptiest(ableAt.get(lead.school)))
  /** From who has the most. */
  const passOne = () =>
    hands
      .toSorted((a, b) => b.count - a.count)
      .some((from) => {
        const mayGo = ({ school }: Lead) => (emptiest(ableAt.get(school))?.count ?? Infinity) <= from.count - 2
        const placeOf = (lead: Lead) => (lead.holder === from.id ? (places.get(lead) ?? 0) : -1)
        const firsts = Array.from(from.own.values(), (own) => own.slice(0, 1)).flat()
        const [lead] = firsts.filter(mayGo).toSorted((a, b) => placeOf(a) - placeOf(b))
        if (lead === undefined) return false
        from.own.get(lead.school)?.shift()
        from.count -= 1
        give(lead, emptiest(ableAt.get(lead.school)))
        return true
      })
  while (passOne());
  return hands.flatMap(({ id, own }) =>
    [...own.values()].flat().flatMap((lead) => (lead.holder === id ? [] : [{ lead, to: id }])),
  )
}

function emptiest<Lead>(hands: readonly Hand<Lead>[] = []): Hand<Lead> | undefined {
  return hands.reduce<Hand<Lead> | undefined>(
    (least, hand) => (least && least.count <= hand.count ? least : hand),
    undefined,
  )
}

function give<Lead extends HeldLead>(lead: Lead, to: Hand<Lead> | undefined): void {
  if (to === undefined) return
  const own = to.own.get(lead.school) ?? []
  if (lead.holder === to.id) own.push(lead)
  else own.unshift(lead)
  to.own.set(lead.school, own)
  to.count += 1
}
