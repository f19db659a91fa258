/**
 * Makes a short hash of 64 bits (cyrb53 without its last step, public domain: https://stackoverflow.com/a/52171480). It tells
 * texts apart that differ by mistake, not those that somebody makes to have one digest. @returns fourteen digits and small letters
 */
export function digest(content: string | Uint8Array): string {
  let [one, other] = [0xde_ad_be_ef, 0x41_c6_ce_57];
  for (let at = 0; at < content.length; at++) {
    const unit = typeof content === 'string' ? content.charCodeAt(at) : (content[at] ?? 0);
    one = Math.imul(one ^ unit, 2_654_435_761);
    other = Math.imul(other ^ unit, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return [one, other].map((half) => (half >>> 0).toString(36).padStart(7, '0')).join('');
}
