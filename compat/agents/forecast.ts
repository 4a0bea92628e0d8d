/** The tool of every agent here; it does not know every city. */
export async function forecast(city: string) {
  if (city === 'Atlantis') throw new Error(`there is no ${city}`);
  return { city, degrees: 21 };
}
