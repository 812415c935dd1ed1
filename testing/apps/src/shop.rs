//! A shop: a catalogue, a basket, a checkout that wants to know things, and what was ordered.
//!
//! What is hard about it: who has not filled in three fields, each in its own way, never gets
//! beyond the checkout, and the present is for who knows a word that cannot be guessed. What is
//! wrong with it: to order once more what was cancelled crashes.

use capuchin_sim::{App, Input, Os, Page, numbered};
use capuchin_ui::Crash;
use std::collections::BTreeMap;

const CATEGORIES: [&str; 4] = ["Books", "Games", "Garden", "Kitchen"];
/// How many products there are in each category.
const PRODUCTS: usize = 4;
const FIELDS: [&str; 3] = ["name", "email", "code"];
const WRONG: [&str; FIELDS.len()] =
    ["Who are you?", "This is no e-mail address", "The code has four digits"];
const VOUCHER: &str = "SPRING-IN-VIENNA";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Catalogue,
    Category(usize),
    Product(usize),
    Basket,
    Checkout,
    Thanks,
    Present,
    Orders,
    Order(usize),
}

#[derive(Clone, Debug, Default)]
struct Order {
    items: BTreeMap<usize, i64>,
    cancelled: bool,
}

/// The shop.
#[derive(Clone, Debug, Default)]
pub struct Shop {
    bugs: bool,
    at: At,
    /// How many of each product.
    basket: BTreeMap<usize, i64>,
    fields: [String; FIELDS.len()],
    voucher: String,
    message: &'static str,
    orders: Vec<Order>,
    asking: bool,
}

impl Shop {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Shop { bugs, ..Shop::default() }
    }

    fn go(&mut self, at: At) {
        self.at = at;
        self.asking = false;
        self.message = "";
    }

    fn view_basket(&self, page: &mut Page<'_>) {
        page.place("Basket");
        let items: Vec<_> = self.basket.iter().map(|(product, count)| (*product, *count)).collect();
        page.list("items", 320, 40, items.len(), |page, index| {
            let (product, count) = (items[index].0 as i64, items[index].1);
            page.row(|page| {
                page.label("", numbered("Product ", product));
                page.button(numbered("fewer-", product), "-").size(48, 32);
                page.label("", numbered("× ", count)).size(48, 24);
                page.button(numbered("more-", product), "+").size(48, 32).enabled(count < 9);
            });
        });
        page.row(|page| {
            page.field("voucher", "Voucher", &self.voucher);
            page.button("redeem", "Redeem");
        });
        page.label("message", self.message);
        page.button("checkout", "Checkout").enabled(!items.is_empty());
    }

    fn view_checkout(&self, page: &mut Page<'_>) {
        page.place("Checkout");
        for (id, value) in FIELDS.iter().zip(&self.fields) {
            page.field(*id, *id, value);
        }
        page.label("message", self.message);
        page.button("order", "Order");
    }

    fn view_order(&self, page: &mut Page<'_>, number: usize) {
        page.place("Order");
        let order = &self.orders[number];
        page.label("state", if order.cancelled { "Cancelled" } else { "On its way" });
        page.label("items", numbered("Items: ", order.items.values().sum()));
        page.row(|page| {
            page.button("again", "Once more");
            page.button("cancel", "Cancel").enabled(!order.cancelled);
        });
        if self.asking {
            page.dialog("sure", "Cancel this order?", |page| {
                page.button("do-cancel", "Cancel it");
                page.button("keep", "Keep it");
            });
        }
    }

    /// Orders what is in the basket, if the form is as it must be. What is wrong in it is emptied.
    fn order(&mut self) {
        let [name, email, code] = &self.fields;
        let is_right = [!name.trim().is_empty(), email.contains('@'), crate::has_four_digits(code)];
        let wrong = is_right.iter().position(|right| !right);
        if let Some(field) = wrong {
            self.fields[field].clear();
            self.message = WRONG[field];
        } else {
            let items = std::mem::take(&mut self.basket);
            self.orders.push(Order { items, cancelled: false });
            self.fields = Default::default();
            self.go(At::Thanks);
        }
    }

    fn order_again(&mut self, number: usize) -> Result<(), Crash> {
        if self.bugs && self.orders[number].cancelled {
            let what = "java.lang.NullPointerException: delivery address";
            return Err(Crash::new(what).at("OrderRepository.copy"));
        }
        self.basket.clone_from(&self.orders[number].items);
        self.go(At::Basket);
        Ok(())
    }

    fn change(&mut self, product: usize, by: i64) {
        let count = self.basket.entry(product).or_default();
        *count = (*count + by).min(9);
        self.basket.retain(|_, count| *count > 0);
    }

    fn click(&mut self, id: &str) {
        let numbers = ["category-", "product-", "more-", "fewer-", "order-"]
            .map(|prefix| crate::number_of(id, prefix).filter(|number| *number > 0));
        match numbers {
            [Some(category), ..] => self.go(At::Category(category - 1)),
            [_, Some(product), ..] => self.go(At::Product(product)),
            [_, _, Some(product), ..] => self.change(product, 1),
            [_, _, _, Some(product), _] => self.change(product, -1),
            [.., Some(order)] if order <= self.orders.len() => self.go(At::Order(order - 1)),
            _ => {}
        }
    }

    fn field(&mut self, id: &str) -> &mut String {
        match FIELDS.iter().position(|field| *field == id) {
            Some(index) => &mut self.fields[index],
            None => &mut self.voucher,
        }
    }

    /// Where Back leads.
    fn back(&mut self, os: &mut Os) {
        match self.at {
            At::Order(_) if self.asking => self.asking = false,
            At::Catalogue => os.leave(),
            At::Product(product) => self.go(At::Category((product - 1) / PRODUCTS)),
            At::Checkout | At::Present => self.go(At::Basket),
            At::Order(_) => self.go(At::Orders),
            _ => self.go(At::Catalogue),
        }
    }
}

impl App for Shop {
    fn view(&self, page: &mut Page<'_>) {
        page.row(|page| {
            page.button("home", "Shop");
            page.button("basket", numbered("Basket ", self.basket.values().sum()));
            page.button("orders", "Orders").enabled(!self.orders.is_empty());
        });
        match self.at {
            At::Catalogue => {
                page.place("Catalogue");
                for (number, category) in (1..).zip(CATEGORIES) {
                    page.item(numbered("category-", number), category);
                }
            }
            At::Category(category) => {
                page.place("Category");
                for product in category * PRODUCTS + 1..=(category + 1) * PRODUCTS {
                    let number = product as i64;
                    page.item(numbered("product-", number), numbered("Product ", number));
                }
            }
            At::Product(product) => {
                page.place("Product");
                page.heading("title", numbered("Product ", product as i64));
                page.button("add", "Add");
            }
            At::Basket => self.view_basket(page),
            At::Checkout => self.view_checkout(page),
            At::Thanks => {
                page.place("Thanks");
                page.heading("title", "Thank you");
                page.button("see", "See the order");
            }
            At::Present => {
                page.place("Present");
                page.heading("title", "A present for you");
            }
            At::Orders => {
                page.place("Orders");
                page.list("all-orders", 400, 44, self.orders.len(), |page, index| {
                    let number = index as i64 + 1;
                    page.item(numbered("order-", number), numbered("Order ", number));
                });
            }
            At::Order(number) => self.view_order(page, number),
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match (self.at, input) {
            (_, Input::Click("home")) => self.go(At::Catalogue),
            (_, Input::Click("basket")) => self.go(At::Basket),
            (_, Input::Click("orders")) => self.go(At::Orders),
            (At::Product(product), Input::Click("add")) => self.change(product, 1),
            (At::Basket, Input::Click("redeem")) if self.voucher == VOUCHER => self.go(At::Present),
            (At::Basket, Input::Click("redeem")) => self.message = "This is no voucher",
            (At::Basket, Input::Click("checkout")) => self.go(At::Checkout),
            (At::Checkout, Input::Click("order") | Input::Key("Enter")) => self.order(),
            (At::Thanks, Input::Click("see")) => self.go(At::Order(self.orders.len() - 1)),
            (At::Order(number), Input::Click("again")) => self.order_again(number)?,
            (At::Order(_), Input::Click("cancel")) => self.asking = true,
            (At::Order(_), Input::Click("keep")) => self.asking = false,
            (At::Order(number), Input::Click("do-cancel")) => {
                self.asking = false;
                self.orders[number].cancelled = true;
            }
            (_, Input::Clear(id)) => self.field(id).clear(),
            (_, Input::Text { id, text }) => crate::type_into(self.field(id), text),
            (_, Input::Click(id)) => self.click(id),
            (_, Input::Back) => self.back(os),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::{Walk, crashes_unless_fixed};
    use capuchin_ui::Event;

    fn order(walk: Walk) -> Walk {
        let checkout = walk.clicks("category-2 product-6 add add basket fewer-6 checkout order");
        let named = checkout.at("Checkout").types("name", "a").types("email", "user@example.org");
        let wrong = named.types("code", "7").clicks("order").at("Checkout");
        wrong.types("code", "1234").go(&Event::Press("Enter".into())).at("Thanks")
    }

    #[test]
    fn an_order_can_be_seen_and_made_again() {
        let history = order(Walk::on("shop")).clicks("orders order-1").at("Order");
        let again = history.clicks("again").at("Basket");
        assert_eq!(again.text("basket"), Some("Basket 1"));
    }

    #[test]
    fn only_the_voucher_brings_the_present() {
        let basket = Walk::on("shop").clicks("basket").types("voucher", "test").clicks("redeem");
        let basket = basket.at("Basket").go(&Event::Clear(capuchin_ui::Target::id("voucher")));
        basket.types("voucher", super::VOUCHER).clicks("redeem").at("Present");
    }

    #[test]
    fn what_was_cancelled_cannot_be_ordered_again() {
        crashes_unless_fixed("shop", "Basket", |walk| {
            order(walk).clicks("see cancel do-cancel again")
        });
    }
}
