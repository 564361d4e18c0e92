// Names for people who gave none: 'Quiet Otter'.

const HOW =
  'Agile Airy Amber Ample Ardent Autumn Azure Balmy Blithe Bold Brave Breezy Bright Brisk Bronze Calm Candid Careful Cheery Civil Clear Clever Cobalt Copper Coral Cosmic Cosy Crisp Curious Daring Dapper Deft Dewy Eager Early Earnest Easy Even Fabled Fair Faithful Fearless Festive Fleet Fluent Fond Frank Free Fresh Gallant Gentle Gifted Glad Golden Graceful Grand Green Happy Hardy Hearty Helpful Hidden Honest Humble Humming Idle Indigo Ivory Jade Jolly Joyful Keen Kind Lasting Lavish Lively Loyal Lucid Lucky Lunar Lush Maple Mellow Merry Mighty Mild Mindful Misty Modest Mossy Neat Nimble Noble Northern Olive Open Patient Pearly Peppy Placid Playful Plucky Polite Prime Proud Quick Quiet Rapid Ready Roaming Rosy Round Royal Ruby Rustic Sandy Scarlet Serene Sharp Shiny Silent Silken Silver Simple Sincere Sleepy Smart Smooth Snowy Snug Solar Southern Spry Stable Starry Steady Still Sturdy Subtle Sunny Sure Swift Tender Thrifty Tidy Tranquil True Trusty Upbeat Valiant Velvet Vivid Warm Wandering Whole Willing Windy Winter Wise Witty Woolly Zesty';
const WHICH =
  'Alpaca Antelope Badger Beaver Bee Beetle Bison Bluebird Bobcat Bullfinch Bunting Buzzard Camel Canary Caribou Carp Cat Chamois Cheetah Chipmunk Cicada Condor Coot Cormorant Cougar Coyote Crab Crane Cricket Crow Cuckoo Curlew Deer Dingo Dipper Dolphin Dormouse Dove Dragonfly Duck Dunlin Eagle Egret Eider Elephant Elk Emu Ermine Falcon Fawn Ferret Finch Firefly Flamingo Fox Frog Gannet Gazelle Gecko Gibbon Giraffe Goat Goldfinch Goose Grebe Grouse Guanaco Gull Hare Harrier Hawk Hedgehog Heron Hoopoe Horse Hummingbird Ibex Ibis Iguana Impala Jackdaw Jaguar Jay Kangaroo Kestrel Kingfisher Kite Kiwi Koala Ladybird Lapwing Lark Lemur Leopard Linnet Lion Lizard Llama Lobster Loon Lynx Macaw Magpie Mallard Manatee Marmot Marten Martin Mole Moose Moth Mouse Narwhal Newt Nightingale Nuthatch Ocelot Octopus Oriole Osprey Otter Owl Panda Panther Parrot Partridge Peacock Pelican Penguin Petrel Pheasant Pigeon Pika Pipit Plover Pony Porpoise Puffin Quail Rabbit Raccoon Raven Redwing Reindeer Robin Rook Salmon Sandpiper Seahorse Seal Shrew Skylark Snail Snipe Sparrow Squirrel Starling Stoat Stork Swallow Swan Swift Tapir Tern Thrush Tiger Toad Toucan Trout Turtle Vole Wagtail Walrus Warbler Weasel Whale Wombat Woodpecker Wren Yak Zebra';

// Not one of those that are taken, as far as there is another.
export function friendlyName(taken: ReadonlySet<string>, random: () => number = Math.random): string {
  const [how, which] = [HOW.split(' '), WHICH.split(' ')];
  const count = how.length * which.length;
  const start = Math.floor(random() * count);
  for (let i = 0; i < count; i++) {
    const at = (start + i) % count;
    const name = `${how[Math.floor(at / which.length)]} ${which[at % which.length]}`;
    if (!taken.has(name)) return name;
  }
  return '';
}
