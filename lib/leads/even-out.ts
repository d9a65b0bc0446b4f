import type { SchoolScope } from '@/lib/contract/user'

/** A lead that waits; fixed where a colleague has begun with it. */
export type HeldLead = { school: string; holder: string | null; isFixed: boolean }
type Person = { id: string; schools: SchoolScope }

/** Who takes over which lead, the first of `leads` first, so that nobody who may take another's has fewer by two or more. */
export function evenOut<Lead extends HeldLead>(leads: readonly Lead[], people: readonly Person[]) {
  const hands = people.map(({ id, schools }) => ({ id, schools, count: 0, own: new Set<Lead>() }))
  type Hand = (typeof hands)[number]
  const mayHave = ({ schools }: Hand, school: string) => schools === 'all' || schools.includes(school)
  const all = [...new Set(leads.map(({ school }) => school))]
  const takers = new Map(all.map((school) => [school, hands.filter((hand) => mayHave(hand, school))]))
  const emptiest = ({ school }: Lead) =>
    takers
      .get(school)
      ?.reduce<Hand | undefined>((least, hand) => (least && least.count <= hand.count ? least : hand), undefined)
  const give = (to: Hand | undefined, lead?: Lead) => {
    if (to === undefined) return
    to.count += 1
    if (lead !== undefined) to.own.add(lead)
  }
  const homeless: Lead[] = []
  for (const lead of leads) {
    const holder = hands.find(({ id }) => id === lead.holder)
    if (lead.isFixed || emptiest(lead) === undefined) give(holder)
    else if (holder !== undefined && mayHave(holder, lead.school)) give(holder, lead)
    else homeless.push(lead)
  }
  for (const lead of homeless) give(emptiest(lead), lead)
  /** From who has the most, one that moves anyway before another. */
  const passOne = () =>
    hands
      .toSorted((a, b) => b.count - a.count)
      .some((from) => {
        const mayGo = (lead: Lead) => (emptiest(lead)?.count ?? Infinity) <= from.count - 2
        const own = [...from.own]
        const lead = own.find((one) => one.holder !== from.id && mayGo(one)) ?? own.find(mayGo)
        if (lead === undefined) return false
        const to = emptiest(lead)
        from.count -= 1
        from.own.delete(lead)
        give(to, lead)
        return true
      })
  while (passOne());
  return hands.flatMap(({ id, own }) => [...own].flatMap((lead) => (lead.holder === id ? [] : [{ lead, to: id }])))
}
